import StrataCore

/// The mapping between the keys of one store and the names of its objects.
///
/// A name is the prefix, a slash, and the escaped text of the key. Letters, digits, `-`, `_` and `.` are kept, except a
/// dot at the beginning; every other byte of the UTF-8 text becomes `=` and two digits. A lone `=` is the empty key.
/// Therefore no name has a slash after the prefix, and each is a valid file name of at most 255 bytes, as servers over
/// a file system require. A longer key is replaced by its hash, and its text is stored before the value.
struct ObjectNames: Sendable {
  private static let longest = 255

  /// The name of an entry's object, with the key's text if that is stored before the value.
  struct Name: Sendable, Hashable {
    let text: String
    /// The UTF-8 text of a hashed key. Empty if the name contains the key.
    var head: [UInt8] = []
  }

  /// Where the text of a key is found, given the name of its object.
  enum Reading: Sendable {
    case text(String)
    /// The key is hashed in the name. Its text is the first `count` bytes of the object.
    case stored(count: Int)
  }

  /// The beginning of all names: empty, or ending with a slash.
  let prefix: String

  init(prefix: String) throws(StorageError) {
    let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
    let isValid =
      prefix.isEmpty
      || parts.allSatisfy { part in
        !part.isEmpty && part != "." && part != ".."
          && part.utf8.allSatisfy { Encoding.isUnreserved($0) || $0 == UInt8(ascii: "=") }
      }
    guard isValid, prefix.utf8.count <= 700 else {
      throw .invalidConfiguration.with(
        "\(String(reflecting: prefix)) is not a valid prefix, which consists of letters, digits and -_.~= between single slashes, at most 700 bytes"
      )
    }
    self.prefix = prefix.isEmpty ? "" : prefix + "/"
  }

  /// The name of an object that exists if entries of the store may expire.
  var expiryMark: String { prefix + "=expires" }
  /// The name of an object that is never stored.
  var probe: String { prefix + "=probe" }

  /// Returns the name of a key's object.
  func name(_ key: some StorageKey) -> Name {
    let bytes = key.storageKey.canonicalUTF8
    if bytes.isEmpty { return Name(text: prefix + "=") }
    let dot = bytes.first == UInt8(ascii: ".")
    let rest = Encoding.escaped(dot ? bytes.dropFirst() : bytes[...], with: "=") {
      Encoding.isUnreserved($0) && $0 != UInt8(ascii: "~")
    }
    let escaped = (dot ? "=2E" : "") + rest
    if escaped.utf8.count <= Self.longest { return Name(text: prefix + escaped) }
    return Name(text: "\(prefix)=-\(Encoding.hex(SHA256.hash(bytes)))-\(bytes.count)", head: bytes)
  }

  /// Returns where the key of a name is found, or `nil` if no key has this name.
  func read(_ name: String) -> Reading? {
    guard name.hasPrefix(prefix), name != expiryMark, name != probe else { return nil }
    let rest = name.dropFirst(prefix.count)
    if rest == "=" { return .text("") }
    if rest.hasPrefix("=-") {
      let parts = rest.dropFirst(2).split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.count == 64, let count = Int(parts[1]), count > 0 else {
        return nil
      }
      return .stored(count: count)
    }
    guard let bytes = Encoding.unescaped(rest, with: "="), !bytes.isEmpty,
      let text = String(validating: bytes, as: UTF8.self), self.name(text).text == name
    else { return nil }
    return .text(text)
  }

  /// Returns the key of a text, or `nil` if the key type cannot decode it or encodes it differently.
  func key<Key: StorageKey>(_ text: String, as type: Key.Type = Key.self) -> Key? {
    guard let key = Key(storageKey: text), key.storageKey.canonicalUTF8.elementsEqual(text.utf8) else {
      return nil
    }
    return key
  }
}
