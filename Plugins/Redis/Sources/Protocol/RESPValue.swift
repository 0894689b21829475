#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A reply or a push message of a server, in the types of RESP3, which include all types of RESP2.
enum RESPValue: Sendable, Hashable {
  /// A short text without a line break, such as `OK`.
  case simple(String)
  /// Bytes.
  case bulk(Data)
  case integer(Int)
  case double(Double)
  case boolean(Bool)
  /// Null, in any of the protocol's three forms.
  case null
  /// An integer of any size, as digits.
  case bigNumber(String)
  /// Text with a format of three letters, `txt` or `mkd`.
  indirect case verbatim(format: String, Data)
  case array([RESPValue])
  /// Alternating keys and values, in their original order.
  case map([RESPValue])
  case set([RESPValue])
  /// A message that is not a reply: an invalidation, or a message of a channel.
  case push([RESPValue])
  indirect case error(RedisReplyError)
}

extension RESPValue {
  /// The bytes of a bulk, simple or verbatim string.
  var bytes: Data? {
    switch self {
    case .bulk(let data), .verbatim(_, let data): data
    case .simple(let text): Data(text.utf8)
    default: nil
    }
  }

  /// The value as text, if its bytes are UTF-8.
  var text: String? {
    switch self {
    case .simple(let text), .bigNumber(let text): text
    default: bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
  }

  /// The value as a number, also if it is text, which some servers return instead.
  var integer: Int? {
    if case .integer(let number) = self { return number }
    return text.flatMap { Int($0) }
  }

  /// The elements of an aggregate; for a map, alternating keys and values.
  var elements: [RESPValue]? {
    switch self {
    case .array(let elements), .map(let elements), .set(let elements), .push(let elements): elements
    default: nil
    }
  }

  /// The value for a key of a map, or of RESP2's equivalent: an array of alternating keys and values.
  subscript(key: String) -> RESPValue? {
    guard let elements else { return nil }
    let place = stride(from: 0, to: elements.count - 1, by: 2).first { elements[$0].text == key }
    return place.map { elements[$0 + 1] }
  }

  /// The server's refusal, if this is an error.
  var failure: RedisReplyError? {
    if case .error(let error) = self { return error }
    return nil
  }
}
