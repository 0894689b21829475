#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ByteTier: SyncStorageAware where Bytes: SyncStorageAware {
  @usableFromInline
  package func entryIfPresent(forKey key: Key) throws -> Entry<TypeWrapper>? {
    try bytes.entryIfPresent(forKey: key)?.map { TypeWrapper(data: $0) }
  }

  @usableFromInline
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try bytes.setObject(object.data(), forKey: key, expiry: expiry)
  }

  @usableFromInline
  package func removeObject(forKey key: Key) throws { try bytes.removeObject(forKey: key) }

  @usableFromInline
  package func removeAll() throws { try bytes.removeAll() }

  @usableFromInline
  package func removeExpiredObjects() throws { try bytes.removeExpiredObjects() }

  @usableFromInline
  package func keys() throws -> [Key] { try bytes.keys() }

  @usableFromInline
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try bytes.expiryIfPresent(forKey: key)
  }

  @usableFromInline
  package func entryAtHand(forKey key: Key) -> AtHand<Entry<TypeWrapper>> {
    bytes.entryAtHand(forKey: key).map { $0.map { TypeWrapper(data: $0) } }
  }

  @usableFromInline
  package func expiryAtHand(forKey key: Key) -> AtHand<Expiry> { bytes.expiryAtHand(forKey: key) }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) throws {
    try bytes.removeInMemoryObject(forKey: key)
  }

  @usableFromInline
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
  package func removeObjects(forKeys keys: [Key]) throws { try bytes.removeObjects(forKeys: keys) }
}
