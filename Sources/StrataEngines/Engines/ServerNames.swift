import StrataCore

/// The names of the entries of a store on a server.
///
/// | name                            | entry                                                                  |
/// |---------------------------------|------------------------------------------------------------------------|
/// | namespace, `~~`, text           | both texts in UTF-8, in Unicode's normalisation form C                 |
/// | namespace, `~~~~`, SHA-256      | the key is too long for the server: its text is in the record          |
///
/// Letters, digits, `-`, `.` and `_` are written unchanged, every other byte as `~` and two digits. So `~~` occurs in
/// no text, and a name belongs to one namespace.
struct ServerNames: Sendable {
  /// The name of an entry, and the text of a key that the name does not contain.
  struct Name: Sendable {
    let text: String
    let key: [UInt8]?
  }

  /// The beginning of all names.
  let prefix: String
  private let longest: Int
  private static let digits = Array("0123456789ABCDEF".utf8)

  init(_ namespace: String, longest: Int) {
    prefix = Self.escaped(namespace.canonicalUTF8) + "~~"
    self.longest = longest
  }

  /// Whether the names of hashed keys are short enough for the server.
  var areShortEnough: Bool { longest - prefix.utf8.count >= 2 + 64 }

  subscript(key: some StorageKey) -> Name {
    let utf8 = key.storageKey.canonicalUTF8
    // An escaped text is no shorter than the text.
    if utf8.count <= longest {
      let name = prefix + Self.escaped(utf8)
      if name.utf8.count <= longest { return Name(text: name, key: nil) }
    }
    let hash = SHA256.hash(utf8).flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
    return Name(text: prefix + "~~" + String(decoding: hash, as: UTF8.self), key: utf8)
  }

  /// Returns whether the name has a hash in place of the key's text, which is then in the record.
  func isHashed(_ name: String) -> Bool { name.utf8.dropFirst(prefix.utf8.count).starts(with: "~~".utf8) }

  /// Returns the key of a name, or `nil` if it was stored with another type of key, or only its record has the text.
  func key<Key: StorageKey>(of name: String, _ record: EngineRecord?, as type: Key.Type = Key.self) -> Key? {
    let text =
      isHashed(name)
      ? record?.text.flatMap { String(validating: $0, as: UTF8.self) }
      : Self.unescaped(name.utf8.dropFirst(prefix.utf8.count)).flatMap {
        String(validating: $0, as: UTF8.self)
      }
    guard let text, let key = Key(storageKey: text), key.storageKey == text else { return nil }
    return key
  }

  private static func escaped(_ utf8: [UInt8]) -> String {
    var name: [UInt8] = []
    name.reserveCapacity(utf8.count + 8)
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        name.append(byte)
      default: name += [UInt8(ascii: "~"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static func unescaped(_ name: some Collection<UInt8>) -> [UInt8]? {
    var utf8: [UInt8] = []
    var rest = name[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        utf8.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap({ digits.firstIndex(of: $0) }),
        let low = rest.popFirst().flatMap({ digits.firstIndex(of: $0) })
      else { return nil }
      utf8.append(UInt8(high << 4 | low))
    }
    return utf8
  }
}
