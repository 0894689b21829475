#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension EngineStorage {
  /// Returns the stored entry, or `nil`; it may have expired. The value is a copy.
  ///
  /// Throws `.malformedFileAttributes` for a record that is not Strata's.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    let name = name(of: key)
    let entry = try explaining("read the entry", key) { try table.read(name) { $0.entry } }
    if entry != nil, limit != nil { table.sizes.withLock { $0?.touch(name.bytes) } }
    return entry
  }

  /// Returns the expiry of the stored entry, or `nil`. It does not copy the value, and does not count as a use.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) { try table.read(name(of: key)) { $0.expiry } }
  }

  /// Reads the entry, if the engine answers at once.
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<Data>> {
    table.engine.answersAtOnce ? AtHand { try entryIfPresent(forKey: key) } : .unknown
  }

  /// Reads the expiry, if the engine answers at once.
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> {
    table.engine.answersAtOnce ? AtHand { try expiryIfPresent(forKey: key) } : .unknown
  }

  /// Returns the keys of all entries that have not expired, as they were at one moment.
  ///
  /// They come in ascending order of their texts, those too long for the engine last. Reads all records. Keys of
  /// another type are left out.
  public func keys() throws -> [Key] {
    try explaining("list the entries") {
      let now = clock.now
      var keys: [Key] = []
      try table.scanEntries { bytes, record in
        if case .date(let date) = record.expiry, date <= now { return }
        // A text that is no key, or not the text of that key, was stored with another type of key.
        if let text = EngineKey.text(ofEntry: bytes, record), let key = Key(storageKey: text),
          key.storageKey == text
        {
          keys.append(key)
        }
      }
      return keys
    }
  }

  func name(of key: Key) -> EngineKey { EngineKey(key, longest: table.engine.longestKey) }
}
