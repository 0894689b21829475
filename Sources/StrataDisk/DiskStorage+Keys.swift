#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The conversion of many keys to bytes and back. Going through a dictionary takes longer than reading or storing its
/// entries if the type of its keys is unknown, so there is code for strings and numbers.
extension DiskStorage {
  /// Returns an expiry as this store keeps it. To ask `traits` for the store's own would take 5 % of a short write.
  func resolved(_ expiry: Expiry?) -> Expiry { (expiry ?? config.expiry).resolved(by: config.clock) }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func entries(_ keys: [Key], _ engine: any DiskEngine) throws -> [Key: Entry<Data>] {
    Dictionary(keys, found: try engine.read(keys.map(\.storageKey.canonicalUTF8)))
  }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func newEntries(_ batch: StoreBatch<Key, Data>) -> [NewEntry] {
    var entries: [NewEntry] = []
    entries.reserveCapacity(batch.count)
    batch.forEachObject(own: config.expiry, by: config.clock) { key, value, expiry in
      entries.append(NewEntry(key: key.storageKey.canonicalUTF8, value: value, expiry: expiry))
    }
    // Different strings and different numbers have different texts. Other keys may have the same: then they are one key
    // here, and one of the values is stored.
    if Key.self == String.self || Key.self == Int.self { return entries }
    return Array(Dictionary(entries.map { ($0.key, $0) }) { $1 }.values)
  }

  /// Returns the keys with these texts. Texts that are no key of this type are left out: a store with another key type
  /// wrote the entries.
  @specialized(where Key == String)
  @specialized(where Key == Int)
  static func keys(_ texts: [String]) -> [Key] {
    texts as? [Key] ?? texts.compactMap(key)
  }

  /// Returns the key with a text; `nil` if the text is no key of this type, or not the key's own text.
  static func key(_ text: String) -> Key? {
    guard let key = Key(storageKey: text), key.storageKey == text else { return nil }
    return key
  }
}
