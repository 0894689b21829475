// Generated from ByteTier+Async.swift by `make twins`.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ByteTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<TypeWrapper>? {
    try base.entryIfPresent(forKey: key)?.map { TypeWrapper(data: $0) }
  }

  @inlinable
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(object.data(), forKey: key, expiry: expiry)
  }

  @inlinable
  package func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try base.replaceObject(object.data(), forKey: key, expiry: expiry)
  }

  @inlinable
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<TypeWrapper>] {
    try base.entries(forKeys: keys).mapValues { $0.map { TypeWrapper(data: $0) } }
  }

  @inlinable
  package func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws {
    if try setWrapped(objects, expiry: expiry) { return }
    try base.setObjects(objects.mapValues { try $0.data() }, expiry: expiry)
  }

  @inlinable
  package func setEntries(_ entries: [Key: Entry<TypeWrapper>]) throws {
    try base.setEntries(entries.mapValues { try $0.map { try $0.data() } })
  }
}
