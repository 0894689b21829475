// sync: extension ByteTier: SyncStorageAware, SyncStorageLink, SyncValueLink where Base: SyncStorageAware {
extension ByteTier {
  @usableFromInline  // sync: @inlinable
  package func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) async throws {
    if case .set(let objects, let expiry) = batch, try await setWrapped(objects, expiry: expiry) { return }
    try await base.change(batch.map { try $1.data() }, how)
  }
}
