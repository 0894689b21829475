#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A reply of a server, or a message that it sends by itself, in the types of RESP3; those of RESP2 are among them.
enum RESPValue: Sendable, Hashable {
  /// A short text without a line break, `OK` say.
  case simple(String)
  /// Bytes.
  case bulk(Data)
  case integer(Int)
  case double(Double)
  case boolean(Bool)
  /// Nothing, in any of the three ways in which the protocol says so.
  case null
  /// A whole number of any size, as digits.
  case bigNumber(String)
  /// Text with three letters that name its format, `txt` or `mkd`.
  indirect case verbatim(format: String, Data)
  case array([RESPValue])
  /// Keys and values in turn, in the order in which they came.
  case map([RESPValue])
  case set([RESPValue])
  /// What the server sends unasked: invalidations, messages of channels.
  case push([RESPValue])
  indirect case error(RedisReplyError)
}

extension RESPValue {
  /// The bytes of a value that has some: a bulk, a simple text or a verbatim one.
  var bytes: Data? {
    switch self {
    case .bulk(let data), .verbatim(_, let data): data
    case .simple(let text): Data(text.utf8)
    default: nil
    }
  }

  /// The value as text, if it is bytes that are UTF-8.
  var text: String? {
    switch self {
    case .simple(let text), .bigNumber(let text): text
    default: bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
  }

  /// A number, also one that came as text: some servers answer so where others do not.
  var integer: Int? {
    if case .integer(let number) = self { return number }
    return text.flatMap { Int($0) }
  }

  /// The elements of whatever is made of elements; those of a map are keys and values in turn.
  var elements: [RESPValue]? {
    switch self {
    case .array(let elements), .map(let elements), .set(let elements), .push(let elements): elements
    default: nil
    }
  }

  /// The value under a key of a map, or of what RESP2 sends in place of one: an array of keys and values in turn.
  subscript(key: String) -> RESPValue? {
    guard let elements else { return nil }
    let place = stride(from: 0, to: elements.count - 1, by: 2).first { elements[$0].text == key }
    return place.map { elements[$0 + 1] }
  }

  /// What the server refused, if this is a refusal.
  var failure: RedisReplyError? {
    if case .error(let error) = self { return error }
    return nil
  }
}
