/// One item of a store, with a cache in memory as the strategy says.
///
/// It can be used from any number of tasks, and be subclassed: what a subclass overrides replaces the cached
/// operation, and `super` is that operation.
///
/// Unchecked, because an open class cannot be checked: all that is stored is one `let` of a `Sendable` type. A
/// subclass answers for what it adds.
open class StorageDelegate<Item: Codable & Sendable>: ItemStorage, @unchecked Sendable {
  fileprivate let link: CacheStrategyStorage<ItemChain<Item>, ItemCache<Item>>

  /// Puts a cache in front of a store of one item. What others do to that store passes the cache by.
  public init(delegate: any ItemStorage<Item>, cacheStrategy: CacheStrategy = .noCache) {
    link = Self.link(ItemChain(item: delegate), cacheStrategy)
  }

  /// Puts a cache in front of a store of one item that has only what the store has: what was saved with success, or
  /// read.
  ///
  /// A save goes to the store, then to the cache; if it fails, the cache is cleared and the error is thrown. A read is
  /// served from the cache, else from the store, and what it finds there is cached. With `false` there is no cache. In
  /// front of a chain the same is `memory.combined(with: chain)`.
  public init(delegate: any ItemStorage<Item>, cacheable: Bool) {
    let chain = ItemChain(item: delegate)
    let cached = ItemCache(clock: chain.clock).combined(with: chain).item(forKey: SoleKey())
    link = Self.link(cacheable ? ItemChain(item: cached) : chain, .noCache)
  }

  private static func link(
    _ chain: ItemChain<Item>, _ strategy: CacheStrategy
  ) -> CacheStrategyStorage<ItemChain<Item>, ItemCache<Item>> {
    CacheStrategyStorage(
      chain, cache: ItemCache(clock: chain.clock), strategy: strategy, valuesExpire: chain.itemExpires)
  }

  /// Puts a cache in front of what a chain stores under a key.
  public convenience init<Key: Hashable & Sendable>(
    _ chain: some StorageAware<Key, Item>, forKey key: Key, cacheStrategy: CacheStrategy = .noCache
  ) {
    self.init(delegate: chain.item(forKey: key), cacheStrategy: cacheStrategy)
  }

  /// Saves an item when the changes made before have ended; throws the error of the store.
  ///
  /// What an error leaves in the cache is up to the strategy. A task cancelled while it waits changes nothing.
  open func save(item: Item) async throws { try await link.setObject(item, forKey: SoleKey()) }

  /// Reads the item; `nil` where nothing is stored or cached. Waits for no change that is being made.
  open func get() async throws -> Item? { try await link.objectIfPresent(forKey: SoleKey()) }

  /// Removes the item from the store and from the cache, from each even if the other fails.
  open func delete() async throws { try await link.removeObject(forKey: SoleKey()) }
}

/// A delegate over a delegate knows how long the item of the chain below is valid.
extension StorageDelegate: ExpiringItemStorage {
  package var clock: StorageClock { link.clock }

  package func entry() async throws -> Entry<Item>? {
    // What a subclass overrides decides on the item.
    guard let item = try await get() else { return nil }
    return Entry(object: item, expiry: try await expiryIfPresent() ?? .never)
  }

  package func expiryIfPresent() async throws -> Expiry? { try await link.expiryIfPresent(forKey: SoleKey()) }
}
