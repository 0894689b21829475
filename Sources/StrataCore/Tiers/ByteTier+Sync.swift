#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ByteTier: SyncStorageAware where Bytes: SyncStorageAware {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<TypeWrapper>? {
    try bytes.entryIfPresent(forKey: key)?.map { TypeWrapper(data: $0) }
  }

  @inlinable
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try bytes.setObject(object.data(), forKey: key, expiry: expiry)
  }

  @inlinable
  package func removeObject(forKey key: Key) throws { try bytes.removeObject(forKey: key) }

  @inlinable
  package func removeAll() throws { try bytes.removeAll() }

  @inlinable
  package func removeExpiredObjects() throws { try bytes.removeExpiredObjects() }

  @inlinable
  package func keys() throws -> [Key] { try bytes.keys() }

  @inlinable
  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try bytes.keyPage(after: cursor, limit: limit)
  }

  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try bytes.expiryIfPresent(forKey: key)
  }

  @inlinable
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<TypeWrapper>> {
    bytes.cachedEntry(forKey: key).map { $0.map { TypeWrapper(data: $0) } }
  }

  @inlinable
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { bytes.cachedExpiry(forKey: key) }

  @inlinable
  package func setObjectAtOnce(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try bytes.setObjectAtOnce(object.data(), forKey: key, expiry: expiry)
  }

  @inlinable
  package func removeInMemoryObject(forKey key: Key) throws {
    try bytes.removeInMemoryObject(forKey: key)
  }

  @inlinable
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<TypeWrapper>] {
    try bytes.entries(forKeys: keys).mapValues { $0.map { TypeWrapper(data: $0) } }
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws {
    if let bytes = bytes as? any SyncWrapperTaking<Key> {
      return try bytes.setWrapped(objects, expiry: expiry)
    }
    try bytes.setObjects(objects.mapValues { try $0.data() }, expiry: expiry)
  }

  @usableFromInline
  package func setEntries(_ entries: [Key: Entry<TypeWrapper>]) throws {
    try bytes.setEntries(entries.mapValues { try $0.map { try $0.data() } })
  }

  @inlinable
  package func removeObjects(forKeys keys: [Key]) throws { try bytes.removeObjects(forKeys: keys) }
}
