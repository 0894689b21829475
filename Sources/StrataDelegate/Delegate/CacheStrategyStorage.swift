public import StrataAlgebra

/// The combinator that puts a memory cache in front of a store, with a `CacheStrategy`.
///
/// The cache never waits. Changes of one key take turns, so that cache and store agree; reads take no turn. Use the
/// same clock for both. A value is cached no longer than it is valid in the store.
@usableFromInline
package struct CacheStrategyStorage<Base: StorageAware, Cache: SyncStorageAware>: StorageAware
where Cache.Key == Base.Key, Cache.Value == Base.Value {
  @usableFromInline package typealias Key = Base.Key
  @usableFromInline package typealias Value = Base.Value

  @usableFromInline let base: Base
  @usableFromInline let cache: Cache
  @usableFromInline let strategy: CacheStrategy
  /// The latest expiry of a cached value, unless it was saved with an expiry.
  @usableFromInline let cacheExpiry: Expiry
  /// Whether the store may set an expiry for a value that is saved without one.
  let valuesExpire: Bool
  /// The expiry that the store sets for a value that is saved without one.
  let ownExpiry: Expiry
  @usableFromInline let changes: KeyOrder<Key>
  @usableFromInline let reads = ReadRace<Key>()
  @usableFromInline let leaving: LeavingValues<Value>

  @usableFromInline
  package init(
    _ base: Base, cache: Cache, strategy: CacheStrategy, cacheExpiry: Expiry = .never,
    valuesExpire: Bool = true, leaving: LeavingValues<Value> = LeavingValues()
  ) {
    self.base = base
    changes = KeyOrder(over: [base])
    self.cache = cache
    self.strategy = strategy
    self.cacheExpiry = cacheExpiry
    self.valuesExpire = valuesExpire
    ownExpiry = valuesExpire ? base.earliestOwnExpiry : .never
    self.leaving = leaving
  }

  @usableFromInline package var wrappedStorages: [any StorageDesign] {
    strategy == .noCache ? [base] : [cache, base]
  }
  @inlinable package var clock: StorageClock { base.clock }
  /// Always `true` with a cache: a call may wait for its key's turn while a suspended task has it.
  @usableFromInline package var mayBlock: Bool { strategy == .noCache ? base.mayBlock : true }
  @usableFromInline package var coordinator: StorageCoordinator<Key>? { base.coordinator }

  /// Returns the cached entry. With `cacheOnFailure` returns `nil`, so that every read goes to the store and updates
  /// the cache.
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? {
    switch strategy {
    case .noCache: return base.peek(forKey: key)
    case .cache:
      let cached = cache.peek(forKey: key)
      return cached.isLive(by: clock) ? cached : base.peek(forKey: key)
    case .cacheOnFailure: return nil
    }
  }

  /// Returns whether an error is a failure of the store. Cancellation of the caller's task is not a failure; a
  /// `CancellationError` while the task is not cancelled is.
  func isFailure(_ error: any Error) -> Bool { !error.isCancellation && !(error is WouldWait) }

  /// The expiry in the cache of a value that is saved without one.
  var ownLifetime: Expiry { lifetime(ownExpiry.resolved(by: clock)) }

  /// Returns the expiry in the cache of a value with this expiry in the store.
  @inlinable
  func lifetime(_ stored: Expiry) -> Expiry {
    if cacheExpiry == .never { return stored }
    return .earlier(stored, cacheExpiry.resolved(by: clock))
  }
}

extension CacheStrategyStorage: ConditionalStorage where Base: ConditionalStorage {}

extension CacheStrategyStorage: SyncConditionalStorage where Base: SyncConditionalStorage {}
