// Generated from ByteTier+Async.swift by `make twins`.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ByteTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<TypeWrapper>? {
    if how.contains(.quietly) { return nil }
    return try base.read(key, how)?.map { TypeWrapper(data: $0) }
  }

  @inlinable
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<TypeWrapper>] {
    if how.contains(.quietly) { return [:] }
    return try base.read(keys, how).mapValues { $0.map { TypeWrapper(data: $0) } }
  }

  @inlinable
  package func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) throws -> Bool {
    try base.change(key, change.map { try $0.data() }, how)
  }

  @inlinable
  package func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) throws {
    if case .set(let objects, let expiry) = batch, try setWrapped(objects, expiry: expiry) { return }
    try base.change(batch.map { try $1.data() }, how)
  }
}
