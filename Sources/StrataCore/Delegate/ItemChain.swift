/// The key of a store that has only one.
struct SoleKey: Hashable, Sendable {}

/// A store of one item as a chain with one key.
struct ItemChain<Item: Sendable>: StorageAware {
  typealias Key = SoleKey
  typealias Value = Item

  let item: any ItemStorage<Item>

  func entryIfPresent(forKey key: SoleKey) async throws -> Entry<Item>? {
    try await item.get().map { Entry(object: $0) }
  }

  func setObject(_ object: Item, forKey key: SoleKey, expiry: Expiry?) async throws {
    try await item.save(item: object)
  }

  func removeObject(forKey key: SoleKey) async throws { try await item.delete() }
  func removeAll() async throws { try await item.delete() }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [SoleKey] { try await item.get() == nil ? [] : [SoleKey()] }
}

/// The cache of one item.
final class ItemCache<Item: Sendable>: SyncStorageAware {
  typealias Key = SoleKey
  typealias Value = Item

  private let item = Locked<Item?>(nil)
  let mayBlock = false

  func entryIfPresent(forKey key: SoleKey) -> Entry<Item>? { item.withLock { $0.map { Entry(object: $0) } } }
  func setObject(_ object: Item, forKey key: SoleKey, expiry: Expiry?) { item.withLock { $0 = object } }
  func removeObject(forKey key: SoleKey) { item.withLock { $0 = nil } }
  func removeAll() { removeObject(forKey: SoleKey()) }
  func removeExpiredObjects() {}
  func keys() -> [SoleKey] { item.withLock { $0 == nil ? [] : [SoleKey()] } }
}
