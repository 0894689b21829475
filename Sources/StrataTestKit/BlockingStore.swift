#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A synchronous store that is always called through its synchronous functions, without `await`.
struct BlockingStore: UpdateableStorage, ConditionalStorage {
  let base: any SyncStorageAware<String, Data>

  var clock: StorageClock { base.clock }
  func peek(forKey key: String) -> Entry<Data>? { base.peek(forKey: key) }
  func read(_ key: String, _ how: How) async throws -> Entry<Data>? {
    try withoutSuspending { try base.read(key, how) }
  }
  func read(_ keys: [String], _ how: How) async throws -> [String: Entry<Data>] {
    try withoutSuspending { try base.read(keys, how) }
  }
  func change(_ key: String, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    if change.kind.isConditional, !(base is any SyncConditionalStorage) { throw NotPromised() }
    return try withoutSuspending { try base.change(key, change, how) }
  }
  func change(_ batch: StoreBatch<String, Data>, _ how: How) async throws {
    try withoutSuspending { try base.change(batch, how) }
  }
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try withoutSuspending { try base.list(after: cursor, limit: limit) }
  }
  func clear(_ extent: StoreExtent) async throws { try withoutSuspending { try base.clear(extent) } }

  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    guard let base = base as? any SyncUpdateableStorage<String, Data> else { throw NotPromised() }
    return try withoutSuspending { try base.update(forKey: key, modify) }
  }
}
