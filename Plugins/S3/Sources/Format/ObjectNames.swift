#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The names of the objects of one store.
///
/// A name is the prefix, a slash, and the escaped text of the key. Letters, digits, `-`, `_` and `.` stand for
/// themselves, except a dot at the beginning; all other bytes of the UTF-8 text are `=` and two digits. A lone `=`
/// stands for the empty key. So no name has a slash after the prefix, and each is one file name of at most 255 bytes,
/// which servers over a file system need. A longer key is replaced by its hash, and its text is stored before the
/// value.
struct ObjectNames: Sendable {
  private static let longest = 255

  /// The name of an entry, with the text that is stored before its value.
  struct Name: Sendable, Hashable {
    let text: String
    /// The key of a hashed name; empty if the name has it.
    var head: [UInt8] = []
  }

  /// What a name says of its key.
  enum Reading: Sendable {
    case text(String)
    /// The text is stored at the beginning of the object, this many bytes.
    case stored(count: Int)
  }

  /// The beginning of all names, with a slash at its end unless it is empty.
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
        "\(String(reflecting: prefix)) cannot begin the names of objects: it is made of letters, digits and -_.~= between single slashes, at most 700 bytes"
      )
    }
    self.prefix = prefix.isEmpty ? "" : prefix + "/"
  }

  /// The object whose existence says that entries of the store may expire.
  var expiryMark: String { prefix + "=expires" }
  /// An object that is never stored.
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

  /// Returns what a name says of its key, or `nil` if no key has this name.
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
