public import StrataAlgebra

/// One item of a store, with a memory cache that follows a `CacheStrategy`.
///
/// ```swift
/// let current = StorageDelegate(storage, forKey: "current", cacheStrategy: .cacheOnFailure)
/// try await current.save(item: ada)
/// let user = try await current.get()   // The saved user, even if the store fails now.
/// ```
///
/// It can be used from any number of tasks. A subclass can override each operation; `super` then performs the cached
/// one.
///
/// Unchecked, because the compiler cannot check an open class: the only stored property is a `let` of a `Sendable`
/// type. A subclass is responsible for its own properties.
open class StorageDelegate<Item: Codable & Sendable>: ItemStorage, @unchecked Sendable {
  fileprivate let link: CacheStrategyStorage<ItemChain<Item>, ItemCache<Item>>

  /// Creates a cache in front of a store of one item. Direct changes of that store do not update the cache.
  public init(delegate: any ItemStorage<Item>, cacheStrategy: CacheStrategy = .noCache) {
    link = Self.link(ItemChain(item: delegate), cacheStrategy)
  }

  /// Creates a cache in front of a store of one item. The cache only holds an item that was read, or saved with
  /// success.
  ///
  /// A save goes to the store, then to the cache; if it fails, the cache is cleared and the error is thrown. A read
  /// looks in the cache, then in the store, and caches an item found there. With `false` there is no cache. For a
  /// chain, `memory.combined(with: chain)` does the same.
  public init(delegate: any ItemStorage<Item>, cacheable: Bool) {
    let chain = ItemChain(item: delegate)
    let cached = ItemCache(clock: chain.clock, ownExpiry: chain.itemExpiry).combined(with: chain).item(
      forKey: SoleKey())
    link = Self.link(cacheable ? ItemChain(item: cached) : chain, .noCache)
  }

  private static func link(
    _ chain: ItemChain<Item>, _ strategy: CacheStrategy
  ) -> CacheStrategyStorage<ItemChain<Item>, ItemCache<Item>> {
    CacheStrategyStorage(
      chain, cache: ItemCache(clock: chain.clock), strategy: strategy, valuesExpire: chain.itemExpires)
  }

  /// Creates a cache in front of the value of a key in a chain.
  public convenience init<Key: Hashable & Sendable>(
    _ chain: some StorageAware<Key, Item>, forKey key: Key, cacheStrategy: CacheStrategy = .noCache
  ) {
    self.init(delegate: chain.item(forKey: key), cacheStrategy: cacheStrategy)
  }

  /// Saves an item after all earlier changes have ended. Throws the error of the store.
  ///
  /// After an error, the strategy determines the content of the cache. A task that is cancelled while it waits changes
  /// nothing.
  open func save(item: Item) async throws { try await link.setObject(item, forKey: SoleKey()) }

  /// Returns the item, or `nil` if nothing is stored or cached. Does not wait for changes in progress.
  open func get() async throws -> Item? { try await link.objectIfPresent(forKey: SoleKey()) }

  /// Removes the item from the store and from the cache, from each even if the other fails.
  open func delete() async throws { try await link.removeObject(forKey: SoleKey()) }
}

/// Lets a delegate in front of a delegate use the expiry of the inner chain's item.
extension StorageDelegate: ExpiringItemStorage {
  package var clock: StorageClock { link.clock }
  package var design: any StorageDesign { link }

  package func entry() async throws -> Entry<Item>? {
    if type(of: self) == StorageDelegate.self { return try await link.entryIfPresent(forKey: SoleKey()) }
    // A subclass may override `get`, so the item comes from there, and need not be in the store.
    guard let item = try await get() else { return nil }
    return Entry(object: item, expiry: try await expiryIfPresent() ?? .never)
  }

  package func expiryIfPresent() async throws -> Expiry? { try await link.expiryIfPresent(forKey: SoleKey()) }
}
