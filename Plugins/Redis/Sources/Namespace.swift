#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The keys of one store on a server: the store's name, two colons, and the text of the key.
///
/// A name neither contains two colons in a row nor ends with one, so the name ends at the first two colons: no key
/// belongs to two stores.
struct Namespace: Sendable, Hashable {
  let name: String
  /// The prefix of all keys.
  let prefix: [UInt8]

  init(_ name: String) throws(StorageError) {
    if name.isEmpty || name.hasSuffix(":") || name.contains("::") {
      throw .unusable(
        "\(String(reflecting: name)) is not a valid namespace: it is empty, ends with a colon, or "
          + "contains two colons in a row"
      )
    }
    self.name = name
    prefix = name.canonicalUTF8 + Array("::".utf8)
  }

  /// Returns a key as the server stores it.
  func word(_ key: some StorageKey) -> RedisCommand.Word {
    .prefixed(prefix, key.storageKey)
  }

  /// Returns the key for a server's key. Returns `nil` if it belongs to another store, or if the key type cannot decode
  /// it or encodes it differently.
  func key<Key: StorageKey>(_ word: Data, as type: Key.Type = Key.self) -> Key? {
    guard word.starts(with: prefix),
      let text = String(validating: word.dropFirst(prefix.count), as: UTF8.self),
      let key = Key(storageKey: text), key.storageKey.canonicalUTF8.elementsEqual(text.utf8)
    else { return nil }
    return key
  }

  /// The pattern of `SCAN` that matches all keys of the store: the escaped prefix, then any text.
  var pattern: RedisCommand.Word {
    var pattern: [UInt8] = []
    for byte in prefix {
      if "*?[]\\^-".utf8.contains(byte) { pattern.append(UInt8(ascii: "\\")) }
      pattern.append(byte)
    }
    pattern.append(UInt8(ascii: "*"))
    return .raw(pattern)
  }
}
