import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts an entry to a line of `dump` and back: `{"key":"a","expires":null,"value":{"text":"…"}}`. A value that is
/// not valid UTF-8 is written as `{"base64":"…"}`, so that no byte is lost.
enum Record {
  static func json(_ key: String, _ entry: Entry<Data>) -> JSON {
    .object(["key": .text(key), "expires": entry.expiry.json, "value": value(entry.object)])
  }

  static func value(_ bytes: Data) -> JSON {
    if let text = String(validating: bytes, as: UTF8.self) { return .object(["text": .text(text)]) }
    return .object(["base64": .text(bytes.base64EncodedString())])
  }

  /// Returns the key and the entry of a line of `dump`. Throws if the line is malformed.
  static func entry(_ line: some Sequence<UInt8>) throws -> Pages.Item {
    let json: JSON
    do { json = try JSON(json: line) } catch {
      throw Failure(.failed, "malformed", "the line is not JSON: \(error)")
    }
    guard case .text(let key)? = json["key"] else {
      throw Failure(.failed, "malformed", "the line has no key")
    }
    let bytes: Data? =
      switch (json["value"]?["text"], json["value"]?["base64"]) {
      case (.text(let text)?, nil): Data(text.utf8)
      case (nil, .text(let text)?): Data(base64Encoded: text)
      default: nil
      }
    guard let bytes else {
      throw Failure(.failed, "malformed", "the value has neither a text nor valid base64", key: key)
    }
    return (key, Entry(object: bytes, expiry: try expiry(json["expires"], key)))
  }

  private static func expiry(_ json: JSON?, _ key: String) throws -> Expiry {
    switch json {
    case nil, .null: return .never
    case .text(let text):
      if let date = Timestamp.date(text) { return .date(date) }
    default: break
    }
    throw Failure(
      .failed, "malformed", "the date of expiry is invalid: write it like 2030-01-31T23:59:59Z", key: key)
  }
}
