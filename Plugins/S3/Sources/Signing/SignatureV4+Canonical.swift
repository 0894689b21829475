extension SignatureV4 {
  /// The canonical form of a request, whose hash is signed.
  struct Canonical: Sendable {
    let text: String
    /// The names of the signed fields.
    let names: String

    init(_ message: Message) {
      let fields = Self.fields(message.fields)
      names = fields.lazy.map(\.name).joined(separator: ";")
      var text = "\(message.method)\n\(message.path)\n\(Self.query(message.query))\n"
      for field in fields { text += "\(field.name):\(field.value)\n" }
      self.text = "\(text)\n\(names)\n\(message.payload)"
    }

    private static func query(_ items: [(name: String, value: String)]) -> String {
      if items.isEmpty { return "" }
      return items.map { (Encoding.percent($0.name), Encoding.percent($0.value)) }
        .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Returns the canonical fields: names in lowercase and sorted, values without superfluous spaces, values of the
    /// same name joined.
    private static func fields(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
      // The sort is stable, so that fields of the same name keep their order.
      let sorted = fields.map { (name: $0.name.lowercased(), value: trimmed($0.value)) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      var joined: [(name: String, value: String)] = []
      joined.reserveCapacity(sorted.count)
      for field in sorted {
        if let last = joined.indices.last, joined[last].name == field.name {
          joined[last].value += ",\(field.value)"
        } else {
          joined.append(field)
        }
      }
      return joined
    }

    /// Returns a value without spaces at its ends, and with single spaces within.
    private static func trimmed(_ value: String) -> String {
      var previous = UInt8(ascii: " ")
      let isTrimmed = value.utf8.allSatisfy { byte in
        defer { previous = byte }
        return byte > 0x20 || byte == 0x20 && previous != 0x20
      }
      if isTrimmed, previous != 0x20 { return value }
      return value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }
}
