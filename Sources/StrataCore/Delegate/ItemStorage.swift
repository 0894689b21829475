/// A store of one item: a token, a configuration, the user who is signed in.
public protocol ItemStorage<Item>: Sendable {
  /// What is stored.
  associatedtype Item: Sendable
  /// Stores an item in place of what was there.
  func save(item: Item) async throws
  /// Reads the item; `nil` where nothing is stored. A store that could not find out throws.
  func get() async throws -> Item?
  /// Removes the item, if there is one.
  func delete() async throws
}

extension StorageAware {
  /// What this chain stores under a key, as a store of one item.
  public func item(forKey key: Key) -> some ItemStorage<Value> { KeyedItem(chain: self, key: key) }
}

private struct KeyedItem<Chain: StorageAware>: ExpiringItemStorage {
  let chain: Chain
  let key: Chain.Key

  var clock: StorageClock { chain.clock }

  func save(item: Chain.Value) async throws { try await chain.setObject(item, forKey: key) }
  func get() async throws -> Chain.Value? { try await chain.objectIfPresent(forKey: key) }
  func delete() async throws { try await chain.removeObject(forKey: key) }
  func entry() async throws -> Entry<Chain.Value>? { try await chain.entryIfPresent(forKey: key) }
  func expiryIfPresent() async throws -> Expiry? { try await chain.expiryIfPresent(forKey: key) }
}
