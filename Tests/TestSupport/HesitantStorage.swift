package import StrataCore

/// A store that may block, and returns its cached entries without waiting only if the test allows it.
package final class HesitantStorage<Key: Hashable & Sendable, Value: Sendable>: TellingStorage {
  package let base: DictionaryStorage<Key, Value>
  private let knows = Locked(true)

  package init(_ base: DictionaryStorage<Key, Value>) { self.base = base }

  /// Whether cached entries are returned without waiting.
  package var isReady: Bool {
    get { knows.withLock { $0 } }
    set { knows.withLock { $0 = newValue } }
  }

  package var clock: StorageClock { base.clock }

  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    isReady ? base.cachedEntry(forKey: key) : .unknown
  }

  /// The threads on which values were stored.
  package let writers = Shared<[UInt]>([])

  package func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    if !isReady { return false }
    try setObject(object, forKey: key, expiry: expiry)
    return true
  }

  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key)
  }
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
    writers.change { $0.append(thisThread()) }
  }
  package func removeObject(forKey key: Key) throws { try base.removeObject(forKey: key) }
  package func removeAll() throws { try base.removeAll() }
  package func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  package func keys() throws -> [Key] { try base.keys() }
}
