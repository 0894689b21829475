#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON {
  /// Parses a JSON document, keeping the order of members. A number that fits neither `Int` nor `Double` exactly is
  /// rounded to about 17 digits.
  init(json bytes: some Sequence<UInt8>) throws {
    var parser = Parser(bytes: Array(bytes))
    self = try parser.document()
  }
}

/// The error for text that is not valid JSON.
struct JSONSyntaxError: Error, CustomStringConvertible {
  let offset: Int
  let expected: String
  var description: String { "at byte \(offset), \(expected) is missing" }
}

private struct Parser {
  let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws -> JSON {
    let value = try value()
    skipSpace()
    if offset < bytes.count { throw wanted("the end") }
    return value
  }

  private func wanted(_ what: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, expected: what) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    if next != byte { return false }
    offset += 1
    return true
  }

  private mutating func value() throws -> JSON {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { (parser) throws in try parser.object() }
    case UInt8(ascii: "["): return try nested { (parser) throws in try parser.array() }
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func nested(_ body: (inout Parser) throws -> JSON) throws -> JSON {
    depth += 1
    defer { depth -= 1 }
    // A limit on the depth, since each level takes memory of the stack.
    if depth > 512 { throw wanted("an end of nested values") }
    offset += 1
    return try body(&self)
  }

  private mutating func object() throws -> JSON {
    var members: [JSON.Member] = []
    if take(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw wanted("a colon") }
      members.append(JSON.Member(name: name, value: try value()))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw wanted("a }") }
    return .object(members)
  }

  private mutating func array() throws -> JSON {
    var values: [JSON] = []
    if take(UInt8(ascii: "]")) { return .array([]) }
    repeat { values.append(try value()) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw wanted("a ]") }
    return .array(values)
  }

  private mutating func word(_ text: String, _ value: JSON) throws -> JSON {
    guard bytes[offset...].starts(with: text.utf8) else { throw wanted(text) }
    offset += text.utf8.count
    return value
  }

  private mutating func number() throws -> JSON {
    let start = offset
    while let byte = next, (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) {
      offset += 1
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isPlain = digits.first.map { $0.isNumber } ?? false
    let hasZero = digits.hasPrefix("0") && digits.dropFirst().first.map { $0.isNumber } ?? false
    let lacksFraction = digits.last == "." || digits.contains(".e") || digits.contains(".E")
    guard isPlain, !hasZero, !lacksFraction else { throw wanted("a value") }
    if let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw wanted("a number") }
    return .number(number)
  }

  private mutating func string() throws -> String {
    guard next == UInt8(ascii: "\"") else { throw wanted("a string") }
    offset += 1
    var text: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else { throw wanted("valid UTF-8") }
        return text
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw wanted("an escape of a control character")
      default: text.append(byte)
      }
    }
    throw wanted("the end of a string")
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    guard let byte = next else { throw wanted("an escape") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"):
      var code = try unit()
      if code & 0xFC00 == 0xD800, bytes[offset...].starts(with: [0x5C, 0x75]) {
        offset += 2
        let low = try unit()
        guard low & 0xFC00 == 0xDC00 else { throw wanted("the second half of a character") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw wanted("a character") }
      text += Array(String(scalar).utf8)
    default: throw wanted("an escape")
    }
  }

  private mutating func unit() throws -> UInt32 {
    let digits = bytes[offset...].prefix(4)
    // The number's initializer accepts a sign.
    guard digits.count == 4, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw wanted("four hexadecimal digits") }
    offset += 4
    return code
  }
}
