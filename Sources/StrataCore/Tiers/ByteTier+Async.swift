#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ByteTier {
  @usableFromInline
  package func entryIfPresent(forKey key: Key) async throws -> Entry<TypeWrapper>? {
    try await bytes.entryIfPresent(forKey: key)?.map { TypeWrapper(data: $0) }
  }

  @usableFromInline
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try await bytes.setObject(object.data(), forKey: key, expiry: expiry)
  }

  @usableFromInline
  package func removeObject(forKey key: Key) async throws { try await bytes.removeObject(forKey: key) }

  @usableFromInline
  package func removeAll() async throws { try await bytes.removeAll() }

  @usableFromInline
  package func removeExpiredObjects() async throws { try await bytes.removeExpiredObjects() }

  @usableFromInline
  package func keys() async throws -> [Key] { try await bytes.keys() }

  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await bytes.keyPage(after: cursor, limit: limit)
  }

  @usableFromInline
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await bytes.expiryIfPresent(forKey: key)
  }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await bytes.removeInMemoryObject(forKey: key)
  }

  @usableFromInline
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<TypeWrapper>] {
    try await bytes.entries(forKeys: keys).mapValues { $0.map { TypeWrapper(data: $0) } }
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    if let bytes = bytes as? any WrapperTaking<Key> {
      return try await bytes.setWrapped(objects, expiry: expiry)
    }
    try await bytes.setObjects(objects.mapValues { try $0.data() }, expiry: expiry)
  }

  @usableFromInline
  package func setEntries(_ entries: [Key: Entry<TypeWrapper>]) async throws {
    try await bytes.setEntries(entries.mapValues { try $0.map { try $0.data() } })
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) async throws {
    try await bytes.removeObjects(forKeys: keys)
  }
}
