#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads values of any `Decodable` type from CBOR (RFC 8949), whoever wrote it.
///
/// The whole input is checked before anything is read of it, in one pass that takes a few nanoseconds an item: lengths
/// beyond the end, items that are cut short, bytes that follow and nesting deeper than 512 levels are refused before
/// memory is allocated for them. Items of indefinite length are read, numbers of one kind as another where the value is
/// kept, tags are skipped where a type does not need them. Of two equal keys in a map the first counts.
///
/// ```swift
/// let people = try CBORDecoder().decode([String].self, from: Data([0x82, 0x61, 0x61, 0x61, 0x62]))
/// ```
///
/// A decoder is a value and can be used on any thread, also at the same time.
public struct CBORDecoder: Sendable {
  /// What the `init(from:)` of types finds in `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Makes a decoder.
  public init() {}

  /// Reads a value.
  ///
  /// - Throws: `DecodingError`, with the coding path. Of a value nothing is said but its kind, or a number that does
  ///   not fit.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try data.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else {
        throw Self.malformed(CBORFlaw(offset: 0, reason: "there are no bytes"))
      }
      return try decode(
        type, from: CBORBytes(base: base.assumingMemoryBound(to: UInt8.self), count: raw.count))
    }
  }

  private func decode<T: Decodable>(_ type: T.Type, from bytes: CBORBytes) throws -> T {
    let hasIndefinite: Bool
    do { hasIndefinite = try CBORScan.check(bytes, depthLimit: CBORLimits.depth) } catch {
      throw Self.malformed(error)
    }
    guard hasIndefinite else { return try decodeDefinite(type, from: bytes) }
    var rewriter = CBORRewriter(bytes, isSorting: false)
    rewriter.item()
    return try withExtendedLifetime(rewriter) { try decodeDefinite(type, from: rewriter.output.bytes) }
  }

  private static func malformed(_ flaw: CBORFlaw) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: "no CBOR, at byte \(flaw.offset): \(flaw.reason)"))
  }

  private func decodeDefinite<T: Decodable>(_ type: T.Type, from bytes: CBORBytes) throws
    -> T
  {
    var reader = CBORReader(bytes, userInfo: userInfo)
    defer { if !isKnownUniquelyReferenced(&reader) { reader.ownBytes() } }
    return try reader.value(type, at: CBORPlace(offset: 0, depth: 0))
  }
}
