public import StrataAlgebra

/// A store of one item, for example a token, a configuration or the signed-in user.
///
/// ```swift
/// let current: some ItemStorage<User> = storage.item(forKey: "current")
/// try await current.save(item: ada)
/// let user = try await current.get()
/// try await current.delete()
/// ```
public protocol ItemStorage<Item>: Sendable {
  /// The type of the item.
  associatedtype Item: Sendable
  /// Stores an item, replacing any previous one.
  func save(item: Item) async throws
  /// Returns the item, or `nil` if nothing is stored. Throws if the store could not find out.
  func get() async throws -> Item?
  /// Removes the item, if there is one.
  func delete() async throws
}

extension StorageAware {
  /// Returns the value of a key as a store of one item.
  ///
  /// ```swift
  /// try await storage.item(forKey: "current").save(item: ada)
  /// ```
  public func item(forKey key: Key) -> some ItemStorage<Value> { KeyedItem(chain: self, key: key) }
}

private struct KeyedItem<Chain: StorageAware>: ExpiringItemStorage {
  let chain: Chain
  let key: Chain.Key

  var clock: StorageClock { chain.clock }
  var design: any StorageDesign { chain }

  func save(item: Chain.Value) async throws { try await chain.setObject(item, forKey: key) }
  func get() async throws -> Chain.Value? { try await chain.objectIfPresent(forKey: key) }
  func delete() async throws { try await chain.removeObject(forKey: key) }
  func entry() async throws -> Entry<Chain.Value>? { try await chain.entryIfPresent(forKey: key) }
  func expiryIfPresent() async throws -> Expiry? { try await chain.expiryIfPresent(forKey: key) }
}
