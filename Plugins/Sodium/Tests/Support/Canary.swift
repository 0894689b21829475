import Foundation
import StrataCore
import StrataSodium
import TestSupport

/// Texts and numbers that values contain, and that no output of an error may contain.
enum Canary {
  static let text = "S3CR3T-Ωmega-canary"
  static let number = 271_828_182_845

  /// Returns the parts of the canary that a text contains: its words, also escaped, encoded, and truncated.
  static func traces(in text: String) -> [String] {
    let text = text.lowercased().replacing("\0", with: " ")
    return parts.filter { strstr(text, $0.lowercased()) != nil }
  }

  private static let parts: [String] = {
    let bytes = Data(text.utf8)
    return [
      "S3C", "3CR", "R3T", "Ωm", "mega", "canar", "u{3A9}", "u03a9", "27182", "18284",
      bytes.base64EncodedString(),
      bytes.hex, "\(bytes[0]), \(bytes[1]), \(bytes[2])",
    ]
  }()

  /// Returns all output that an error can produce: descriptions, a dump, the bridged Foundation error, and the same of
  /// each underlying error.
  static func renderings(of error: any Error) -> String {
    var text = "\(error)\n\(String(reflecting: error))\n\(error.localizedDescription)\n"
    dump(error, to: &text)
    let bridged = error as NSError
    text +=
      "\(bridged)\n\(bridged.userInfo)\n\(bridged.localizedFailureReason ?? "")\n\(bridged.debugDescription)\n"
    if let error = error as? any LocalizedError {
      text += [error.errorDescription, error.failureReason, error.recoverySuggestion, error.helpAnchor]
        .compactMap(\.self).joined(separator: "\n")
    }
    for child in Mirror(reflecting: error).children {
      text += "\(child.label ?? ""): \(child.value) \(String(reflecting: child.value))\n"
      if let cause = child.value as? any Error { text += renderings(of: cause) }
    }
    return text
  }
}

/// A value with the canary in every position.
struct Bird: Codable, Equatable, Sendable {
  var name = Canary.text
  var weight = Canary.number
  var songs = [Canary.text, Canary.text]
  var notes = [Canary.text: [Canary.text: Canary.text]]
  var nest: Nest? = Nest()

  struct Nest: Codable, Equatable, Sendable {
    var place = Canary.text
    var height = Double(Canary.number)
  }
}

/// Types that a `Bird` cannot be decoded as, each for another reason.
enum Mistakes {
  struct NumberForText: Codable, Sendable { let name: Int }
  struct SmallNumber: Codable, Sendable { let weight: Int8 }
  struct DateForText: Codable, Sendable { let name: Date }
  struct NumbersForTexts: Codable, Sendable { let songs: [Int] }
  struct NumberInDictionary: Codable, Sendable { let notes: [String: [String: Int]] }
  struct OneOfTwo: Codable, Sendable {
    enum Song: String, Codable, Sendable { case long, short }
    let name: Song
  }
  struct MissingField: Codable, Sendable { let age: Int }
  struct NullInNest: Codable, Sendable {
    struct Nest: Codable, Sendable { let place: [Int] }
    let nest: Nest
  }
  struct KeyOfContents: Codable, Sendable {
    struct AnyKey: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      let name = try container.decode(String.self, forKey: AnyKey(stringValue: "name"))
      _ = try container.decode(Int.self, forKey: AnyKey(stringValue: name))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(Double.infinity, forKey: AnyKey(stringValue: Canary.text))
    }
    init() {}
  }

  /// Throws its own errors, which contain the value.
  struct Talkative: Codable, Sendable {
    struct Refused: LocalizedError {
      let value: String
      var errorDescription: String? { "refused: \(value)" }
    }
    var kind = 0
    private enum CodingKeys: String, CodingKey { case name }
    init(kind: Int) { self.kind = kind }
    init(from decoder: any Decoder) throws {
      let name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
      throw Refused(value: name)
    }
    func encode(to encoder: any Encoder) throws {
      switch kind {
      case 0: throw Refused(value: Canary.text)
      case 1: throw StorageError(.init(Canary.text), Canary.text, place: Canary.text)
      case 2:
        throw StorageError.encodingFailed.with(
          Canary.text, key: Canary.text, cause: Refused(value: Canary.text))
      case 3: throw EncryptorError.failedToEncrypt.with(code: Canary.number, reason: Canary.text)
      default:
        throw NSError(
          domain: "birds", code: 1,
          userInfo: [
            NSLocalizedDescriptionKey: Canary.text, NSUnderlyingErrorKey: Refused(value: Canary.text),
          ])
      }
    }
  }

  /// Cannot be encoded: the encoder's error contains the value.
  struct Endless: Codable, Sendable {
    struct Depth: Codable, Sendable { var values = [Canary.text: [1, Double.infinity]] }
    var depth = Depth()
  }
}
