#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Dictionary where Key: StorageKey {
  /// Creates the result of a batched read: the entries that were found, by their keys.
  ///
  /// The code is specialized for keys that are strings or numbers: with a generic key, filling the dictionary would
  /// take longer than reading the entries.
  ///
  /// - Parameter found: For each of the keys its entry, or `nil` if there is none.
  @specialized(where Key == String, Value == Entry<Data>)
  @specialized(where Key == Int, Value == Entry<Data>)
  package init(_ keys: [Key], found: [Value?]) {
    self.init(minimumCapacity: found.count { $0 != nil })
    for (key, entry) in zip(keys, found) { if let entry { self[key] = entry } }
  }
}
