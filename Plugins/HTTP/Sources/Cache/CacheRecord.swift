import Foundation
import StrataCore

/// The stored responses of one URL, the newest first.
///
/// It is encoded as a binary property list with a version: 1, or 2 if a body is an entry of its own, so that releases
/// before 2 do not return an empty body. A record of another version is ignored, since the cache can always request a
/// new response from the origin.
struct CacheRecord: Codable, Equatable, Sendable {
  /// The maximum number of responses of one URL; more than one exists only if `Vary` distinguishes requests. The limit
  /// is low because all small bodies are written together.
  static let limit = 8
  static let currentVersion = 2
  static let transformer = Transformer.propertyList(CacheRecord.self)

  private(set) var version = 1
  private(set) var variants: [StoredResponse] = []

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(Int.self, forKey: .version)
    guard 1...Self.currentVersion ~= version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "the record has version \(version), not 1 to \(Self.currentVersion)")
    }
    variants = try container.decode([StoredResponse].self, forKey: .variants)
  }

  func answer(to question: Question) -> StoredResponse? { variants.first(where: question.matches) }

  /// Replaces all responses that answer the same request.
  mutating func replace(_ question: Question, with response: StoredResponse?) {
    variants.removeAll(where: question.matches)
    if var response {
      if response.detached != nil { response.body = Data() }
      variants.insert(response, at: 0)
    }
    variants.removeLast(max(0, variants.count - Self.limit))
    version = variants.allSatisfy { $0.detached == nil } ? 1 : 2
  }

  /// The keys of the bodies that are entries of their own.
  var bodyKeys: Set<String> { Set(variants.compactMap(\.detached?.key)) }

  /// Returns the time after which no response of the record is useful.
  func expiry(_ config: HTTPCacheConfig, isShared: Bool) -> Expiry {
    let ends = variants.map { variant in
      let fresh =
        variant.lifetime(guessingUpTo: config.heuristicLimit, isShared: isShared)
        - variant.age(at: variant.responseTime)
      let control = variant.control
      let kept = [
        config.retention, config.staleIfError, config.staleIfUnreachable,
        control.seconds("stale-if-error") ?? 0,
        control.seconds("stale-while-revalidate") ?? 0,
      ]
      return variant.responseTime.addingTimeInterval(max(0, fresh) + (kept.max() ?? 0))
    }
    return ends.max().map(Expiry.date) ?? .seconds(0)
  }
}
