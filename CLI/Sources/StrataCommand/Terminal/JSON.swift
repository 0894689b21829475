#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON value. Objects keep the order of their members, so the same value is always printed in the same way.
indirect enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case array([JSON])
  case object([Member])

  struct Member: Sendable, Equatable {
    let name: String
    let value: JSON
  }

  /// Creates an object of the members that have a value.
  static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// The value of an object's member, or `nil` if there is no such member.
  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The JSON text without spaces, in one line.
  var compact: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// The JSON text with a line for each member and element.
  var pretty: String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? Self.digits(value) : "null"
    case .text(let value): Self.write(value, to: &text)
    case .array(let values):
      Self.write(values.count, "[", "]", to: &text, indent) { index, text, indent in
        values[index].write(to: &text, indent: indent)
      }
    case .object(let members):
      Self.write(members.count, "{", "}", to: &text, indent) { index, text, indent in
        Self.write(members[index].name, to: &text)
        text += indent == nil ? ":" : ": "
        members[index].value.write(to: &text, indent: indent)
      }
    }
  }

  private static func write(
    _ count: Int, _ open: String, _ close: String, to text: inout String, _ indent: Int?,
    _ element: (Int, inout String, Int?) -> Void
  ) {
    text += open
    for index in 0..<count {
      if index > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
      element(index, &text, indent.map { $0 + 1 })
    }
    if let indent, count > 0 { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  private static func digits(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Control characters that JSON allows are escaped too: a terminal that shows the document may obey them.
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSON: Decodable {
  /// Decodes any value of a format such as CBOR or a property list. Members of objects are sorted by name.
  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: AnyName.self) {
      let names = members.allKeys.sorted { $0.stringValue < $1.stringValue }
      self = .object(
        try names.map { Member(name: $0.stringValue, value: try members.decode(JSON.self, forKey: $0)) })
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [JSON] = []
      while !elements.isAtEnd { values.append(try elements.decode(JSON.self)) }
      self = .array(values)
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  // A failed attempt only means that the value has another type, so its error is dropped.
  private static func scalar(_ value: any SingleValueDecodingContainer) throws -> JSON {
    if value.decodeNil() { return .null }
    if let found = try? value.decode(Bool.self) { return .bool(found) }
    if let found = try? value.decode(Int.self) { return .integer(found) }
    if let found = try? value.decode(Double.self) { return .number(found) }
    if let found = try? value.decode(String.self) { return .text(found) }
    if let found = try? value.decode(Data.self) { return .text(found.base64EncodedString()) }
    return .text(Timestamp.text(try value.decode(Date.self)))
  }

  private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
  }
}
