// sync: extension UnwrittenTier: SyncStorageAware where Base: SyncStorageAware {
extension UnwrittenTier {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key)
  }
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await base.entries(forKeys: keys)
  }
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }
  package func keys() async throws -> [Key] { try await base.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }
}
