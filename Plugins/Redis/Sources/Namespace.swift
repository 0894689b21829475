#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The keys of one store among those of a server: its name, two colons, and the text of the key.
///
/// No name contains two colons or ends with one, so the first two that stand together end the name: no key belongs to
/// two stores.
struct Namespace: Sendable, Hashable {
  let name: String
  /// What all keys begin with.
  let prefix: [UInt8]

  init(_ name: String) throws(StorageError) {
    if name.isEmpty || name.hasSuffix(":") || name.contains("::") {
      throw .unusable(
        "\(String(reflecting: name)) cannot name the keys of a store: it is empty, ends with a colon, or has two in a row"
      )
    }
    self.name = name
    prefix = name.canonicalUTF8 + Array("::".utf8)
  }

  /// A key as the server has it.
  func word(_ key: some StorageKey) -> RedisCommand.Word {
    .prefixed(prefix, key.storageKey)
  }

  /// The key that the server has; `nil` if it is another store's, or none that the key type can read and would write
  /// alike.
  func key<Key: StorageKey>(_ word: Data, as type: Key.Type = Key.self) -> Key? {
    guard word.starts(with: prefix),
      let text = String(validating: word.dropFirst(prefix.count), as: UTF8.self),
      let key = Key(storageKey: text), key.storageKey.canonicalUTF8.elementsEqual(text.utf8)
    else { return nil }
    return key
  }

  /// What `SCAN` finds the keys by: their prefix, in which nothing stands for anything else, and then whatever it is.
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
