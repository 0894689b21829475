// Generated from ByteTier+Async.swift by `make twins`.
extension ByteTier: SyncStorageAware, SyncStorageLink, SyncValueLink where Base: SyncStorageAware {
  @inlinable
  package func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) throws {
    if case .set(let objects, let expiry) = batch, try setWrapped(objects, expiry: expiry) { return }
    try base.change(batch.map { try $1.data() }, how)
  }
}
