#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
public import Synchronization

/// A typed store whose functions suspend instead of blocking.
///
/// ```swift
/// let users = AsyncStorage(
///   front: MemoryStorage(config: MemoryConfig(countLimit: 10_000)),
///   back: try RedisStorage<String>(namespace: "users"), transformer: .codable(User.self))
/// try await users.setObject(ada, forKey: "ada")
/// let user = try await users.object(forKey: "ada")
/// ```
///
/// A value in memory is returned without suspending. Work that may block, for example on a disk, runs on the library's
/// own threads, and never on Swift's cooperative pool. Two operations stay on the caller's thread even over a disk,
/// because they do not wait: a read of one key that is absent or whose bytes are in the page cache, and a write of up
/// to 16 kB that the system accepts into the page cache. Operations on one key keep their order, whether they are
/// called on this store or on a `Storage` over the same chain.
///
/// A task that is cancelled while it waits for its turn throws `CancellationError` and changes nothing; an operation
/// that has started is finished.
public final class AsyncStorage<Key: Hashable & Sendable, Value: Sendable>: StorageAware {
  @usableFromInline let chain: Chain<Key>
  @usableFromInline let transformer: Transformer<Value>
  let typed: Typed
  /// The synchronous typed chain with per-key ordering; `nil` for an asynchronous chain.
  @usableFromInline let ordered: SyncStorage<TypeWrapperStorage<ObservedStorage<Key>, Value>>?
  @usableFromInline let soleTier: SoleTier<Key, Value>?
  /// Whether nothing in the chain ever blocks. Operations then run on the caller's thread.
  @usableFromInline let isBrief: Bool
  /// The number of bytes of the last written value.
  @usableFromInline let lastSize = Atomic(0)

  /// Creates a store on two tiers, for example memory in front of a server.
  ///
  /// ```swift
  /// let users = AsyncStorage(
  ///   front: MemoryStorage(config: MemoryConfig(countLimit: 10_000)),
  ///   back: try RedisStorage<String>(namespace: "users"), transformer: .codable(User.self))
  /// ```
  @inlinable
  public convenience init(
    front: some StorageAware<Key, TypeWrapper>, back: some StorageAware<Key, Data>,
    transformer: Transformer<Value>
  ) {
    self.init(TypeWrapperStorage(HybridStorage(front: front, back: back), transformer: transformer))
  }

  /// Creates a store on two synchronous tiers, for example memory in front of a disk.
  @inlinable
  public convenience init(
    front: some SyncStorageAware<Key, TypeWrapper>, back: some SyncStorageAware<Key, Data>,
    transformer: Transformer<Value>
  ) {
    let tiers = HybridStorage(front: front, back: back)
    self.init(
      chain: Chain(tiers), transformer: TypeWrapperStorage(tiers, transformer: transformer).transformer)
  }

  /// Creates a store on two synchronous tiers, of which the back updates values.
  @inlinable
  public convenience init(
    front: some SyncStorageAware<Key, TypeWrapper>,
    back: some SyncStorageAware<Key, Data> & SyncUpdateableStorage<Key, Data>, transformer: Transformer<Value>
  ) {
    let tiers = HybridStorage(front: front, back: back)
    self.init(
      chain: Chain(tiers), transformer: TypeWrapperStorage(tiers, transformer: transformer).transformer)
  }

  /// Creates a store on one tier of bytes, for example a server, without memory in front. Each read decodes the value.
  @inlinable
  public convenience init(back: some StorageAware<Key, Data>, transformer: Transformer<Value>) {
    self.init(TypeWrapperStorage(ByteTier(back), transformer: transformer))
  }

  /// Creates a store over a chain of links, which may end in a network. It orders the operations on each key.
  @inlinable
  public convenience init(_ chain: TypeWrapperStorage<some StorageAware<Key, TypeWrapper>, Value>) {
    self.init(chain: Chain(anyOf: chain.inner), transformer: chain.transformer)
  }

  @usableFromInline
  init(chain: Chain<Key>, transformer: Transformer<Value>) {
    self.chain = chain
    self.transformer = transformer
    switch chain.tier {
    case .sync(let tier):
      let sync = TypeWrapperStorage(tier, transformer: transformer, bytes: tier.bytes)
      typed = .sync(sync)
      ordered = SyncStorage(sync, coordinator: chain.coordinator)
      isBrief = !tier.mayBlock
      // The transformer of `sync` lives as long as `ordered`.
      soleTier = SoleTier(chain, sync.transformer)
    case .async(let tier):
      typed = .async(TypeWrapperStorage(tier, transformer: transformer))
      ordered = nil
      soleTier = nil
      isBrief = false
    }
  }

  /// The typed chain that this store uses.
  public var wrappedStorages: [any StorageDesign] {
    switch typed {
    case .sync(let chain): [chain]
    case .async(let chain): [chain]
    }
  }
  /// The tiers of the chain.
  public var traits: StoreTraits { StoreTraits(tiers: chain.tiers) }
  /// The clock of the memory tier.
  public var clock: StorageClock { chain.clock }
  /// Always `nil`: this store already orders its own operations.
  public var coordinator: StorageCoordinator<Key>? { nil }
  /// The invalidation source of the chain, or `nil` if it has none.
  public var invalidationSource: InvalidationSource<Key>? { chain.invalidationSource }

  /// The same store without `await`, whose calls may block; `nil` for an asynchronous chain.
  package var withoutAwait: (any SyncStorageAware<Key, Value>)? { ordered }

  /// Returns the entry if it is already decoded in memory as this type. Never blocks.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { chain.cached(key, as: transformer) }

  /// Returns the result of `body` for the entry that `peek` would return, without copying it. `body` may run while the
  /// memory is locked: it must not use a store.
  @inlinable
  @inline(__always)
  public func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    chain._withCachedObject(key, as: transformer, body)
  }

  enum Typed {
    case sync(TypeWrapperStorage<ObservedStorage<Key>, Value>)
    case async(TypeWrapperStorage<AsyncObservedStorage<Key>, Value>)
  }
}
