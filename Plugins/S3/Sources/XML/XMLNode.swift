#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An element of an XML document, with its text and children. Supports as much of XML as S3's responses use.
///
/// Namespaces, attributes, comments and processing instructions are skipped. Documents with a document type are
/// refused, so that no entities exist but the five of XML and numeric ones.
struct XMLNode: Sendable {
  /// The name without a namespace.
  let name: String
  /// The text of this element, without its children's.
  private(set) var text = ""
  private(set) var children: [XMLNode] = []

  /// Returns the first child with a name.
  subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

  /// Returns all children with a name.
  func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

  init(parsing data: Data) throws(XMLError) {
    var reader = XMLReader(Array(data))
    self = try reader.document()
  }

  fileprivate init(_ name: String) { self.name = name }

  /// Returns text with XML's special characters escaped.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\r", "\n", "\t": escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// The reason why bytes are not an XML document, with the position.
struct XMLError: Error, CustomStringConvertible {
  let reason: String
  let offset: Int

  var description: String { "\(reason) at byte \(offset)" }
}

private struct XMLReader {
  /// The maximum nesting. No response has as many levels, and each takes space on the stack.
  private static let deepest = 64

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(XMLError) -> XMLNode {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    try skipMisc()
    guard peek() == UInt8(ascii: "<") else { throw failure("there is no element") }
    let root = try element(depth: 0)
    try skipMisc()
    guard place == bytes.count else { throw failure("bytes follow the document") }
    return root
  }

  private mutating func element(depth: Int) throws(XMLError) -> XMLNode {
    guard depth < Self.deepest else { throw failure("elements are nested too deeply") }
    place += 1
    let full = try name()
    var node = XMLNode(Self.local(full))
    guard try !skipAttributes() else { return node }
    var text: [UInt8] = []
    while true {
      guard let byte = peek() else { throw failure("<\(full)> has no end") }
      if byte == UInt8(ascii: "&") {
        try reference(into: &text)
      } else if byte != UInt8(ascii: "<") {
        text.append(byte)
        place += 1
      } else if skip("</") {
        guard try name() == full else { throw failure("<\(full)> ends as another element") }
        skipSpaces()
        guard skip(">") else { throw failure("a tag has no end") }
        break
      } else if skip("<!--") {
        try skipPast("-->")
      } else if skip("<![CDATA[") {
        let start = place
        try skipPast("]]>")
        text += bytes[start..<place - 3]
      } else if skip("<?") {
        try skipPast("?>")
      } else {
        node.add(try element(depth: depth + 1))
      }
    }
    guard let text = String(validating: text, as: UTF8.self) else { throw failure("the text is not UTF-8") }
    node.setText(text)
    return node
  }

  /// Skips the attributes and the end of a tag. Returns whether the tag closes itself (`<a/>`).
  private mutating func skipAttributes() throws(XMLError) -> Bool {
    while true {
      skipSpaces()
      if skip(">") { return false }
      if skip("/>") { return true }
      _ = try name()
      skipSpaces()
      guard skip("=") else { throw failure("an attribute has no value") }
      skipSpaces()
      guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw failure("a value has no quotes")
      }
      place += 1
      guard let end = bytes[place...].firstIndex(of: quote) else { throw failure("a value has no end") }
      place = end + 1
    }
  }

  private mutating func reference(into text: inout [UInt8]) throws(XMLError) {
    let start = place + 1
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw failure("an entity has no end")
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    switch name {
    case "amp": text.append(UInt8(ascii: "&"))
    case "lt": text.append(UInt8(ascii: "<"))
    case "gt": text.append(UInt8(ascii: ">"))
    case "quot": text.append(UInt8(ascii: "\""))
    case "apos": text.append(UInt8(ascii: "'"))
    default:
      let isHex = name.hasPrefix("#x")
      guard name.hasPrefix("#"), let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
        let scalar = Unicode.Scalar(number), let encoded = UTF8.encode(scalar)
      else { throw failure("there is no entity &\(name);") }
      text.append(contentsOf: encoded)
    }
    place = end + 1
  }

  private mutating func skipMisc() throws(XMLError) {
    while true {
      skipSpaces()
      if skip("<?") { try skipPast("?>") } else if skip("<!--") { try skipPast("-->") } else { break }
    }
    if skip("<!") { throw failure("a document type is not expected") }
  }

  private mutating func name() throws(XMLError) -> String {
    let start = place
    while let byte = peek(), byte > 0x20, !"/>=<\"'&".utf8.contains(byte) { place += 1 }
    guard place > start, let name = String(validating: bytes[start..<place], as: UTF8.self) else {
      throw failure("there is no name")
    }
    return name
  }

  private static func local(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skip(_ text: StaticString) -> Bool {
    let isThere = text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    if isThere { place += text.utf8CodeUnitCount }
    return isThere
  }

  private mutating func skipPast(_ text: StaticString) throws(XMLError) {
    while place < bytes.count {
      if skip(text) { return }
      place += 1
    }
    throw failure("a comment or instruction has no end")
  }

  private mutating func skipSpaces() {
    while let byte = peek(), byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { place += 1 }
  }

  private func failure(_ reason: String) -> XMLError { XMLError(reason: reason, offset: place) }
}

extension XMLNode {
  fileprivate mutating func add(_ child: XMLNode) { children.append(child) }
  fileprivate mutating func setText(_ text: String) { self.text = text }
}
