#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// sync: extension ByteTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
extension ByteTier {
  @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<TypeWrapper>? {
    try await base.entryIfPresent(forKey: key)?.map { TypeWrapper(data: $0) }
  }

  @inlinable
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(object.data(), forKey: key, expiry: expiry)
  }

  @inlinable
  package func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(object.data(), forKey: key, expiry: expiry)
  }

  @inlinable
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<TypeWrapper>] {
    try await base.entries(forKeys: keys).mapValues { $0.map { TypeWrapper(data: $0) } }
  }

  @usableFromInline  // sync: @inlinable
  package func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    if try await setWrapped(objects, expiry: expiry) { return }
    try await base.setObjects(objects.mapValues { try $0.data() }, expiry: expiry)
  }

  @inlinable
  package func setEntries(_ entries: [Key: Entry<TypeWrapper>]) async throws {
    try await base.setEntries(entries.mapValues { try $0.map { try $0.data() } })
  }
}
