package import StrataCore

/// A simple store that also has functions of its own for what it can tell or do at once, and for changes that a simple
/// store does not distinguish.
package protocol TellingStorage<Key, Value>: SyncSimpleStorage {
  associatedtype Key
  associatedtype Value

  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>>
  func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry>
  func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws
  func removeInMemoryObject(forKey key: Key) throws
}

extension TellingStorage {
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try readSimply(key, .atOnce) }
  }
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    if mayBlock { return cachedEntry(forKey: key).map(\.expiry) }
    return CacheLookup { try expiryIfPresent(forKey: key) }
  }
  package func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    if mayBlock { return false }
    try setObject(object, forKey: key, expiry: expiry)
    return true
  }
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try setObject(object, forKey: key, expiry: expiry)
  }
  package func removeInMemoryObject(forKey key: Key) throws {}

  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    guard how.contains(.atOnce), !how.contains(.quietly) else { return try readSimply(key, how) }
    if how.contains(.expiryOnly) { return try cachedExpiry(forKey: key).get().map { Entry(expiry: $0) } }
    return try cachedEntry(forKey: key).get()
  }

  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    switch change.kind {
    case .set(let expiry) where how.contains(.atOnce):
      guard try setObjectAtOnce(change.object, forKey: key, expiry: expiry) else { throw WouldWait() }
    case .replace(let expiry) where !how.contains(.atOnce):
      try replaceObject(change.object, forKey: key, expiry: expiry)
    case .forget where !how.contains(.atOnce): try removeInMemoryObject(forKey: key)
    default: return try changeSimply(key, change, how)
    }
    return true
  }
}
