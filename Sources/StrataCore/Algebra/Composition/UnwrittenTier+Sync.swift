// Generated from UnwrittenTier+Async.swift by `make twins`.
extension UnwrittenTier: SyncStorageAware where Base: SyncStorageAware {
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key)
  }
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try base.entries(forKeys: keys)
  }
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try base.expiryIfPresent(forKey: key)
  }
  package func keys() throws -> [Key] { try base.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.keyPage(after: cursor, limit: limit)
  }
}
