#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// sync: extension ByteTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
extension ByteTier {
  @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<TypeWrapper>? {
    if how.contains(.quietly) { return nil }
    return try await base.read(key, how)?.map { TypeWrapper(data: $0) }
  }

  @inlinable
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<TypeWrapper>] {
    if how.contains(.quietly) { return [:] }
    return try await base.read(keys, how).mapValues { $0.map { TypeWrapper(data: $0) } }
  }

  @inlinable
  package func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) async throws -> Bool {
    try await base.change(key, change.map { try $0.data() }, how)
  }

  @usableFromInline  // sync: @inlinable
  package func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) async throws {
    if case .set(let objects, let expiry) = batch, try await setWrapped(objects, expiry: expiry) { return }
    try await base.change(batch.map { try $1.data() }, how)
  }
}
