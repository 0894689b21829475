import StrataAlgebra

/// The behaviour of a memory cache in front of a store.
///
/// ```swift
/// let resilient = storage.cacheStrategy(.cacheOnFailure)
/// let user = try await resilient.object(forKey: "ada")   // The last known value, while the store fails.
/// ```
///
/// Changes of a key are made in the cache and in the store one change after the other, so that both agree under
/// concurrent changes. Reads run concurrently. With every strategy, a removal removes the value from both, even if one
/// fails. Cancellation of the caller's task is not a failure of the store: the caller gets `CancellationError`, and the
/// value that it was saving is not cached.
///
/// A value is cached no longer than it is valid in the store. After a save without an expiry, the store's expiry is
/// read. If that read fails, or the save has failed, the value is cached for the store's own expiry. A store of your
/// own that sets an expiry for such values says so by `StoreTraits.ownExpiry`; otherwise it counts as `.never`.
public enum CacheStrategy: Sendable {
  /// No cache: all operations go to the store, and values are always fresh.
  case noCache
  /// Saved values are read from memory: fast reads.
  ///
  /// A save goes to the cache, then to the store. If the store fails, the value stays in the cache and the error is
  /// thrown. A read looks in the cache, then in the store; a value found in the store is not cached.
  case cache
  /// The value that was last saved or read remains available if the store fails: resilience.
  ///
  /// A save goes to the store, then to the cache. If the store fails, the value is cached all the same and the error is
  /// thrown. A read goes to the store: a value found there is cached, and if there is none, the cache is cleared. If
  /// the store fails, the read returns the cached value, or throws the error if there is none. A read may therefore
  /// return a value that is stale or was never stored.
  case cacheOnFailure

  /// The same as `noCache`.
  public static let NO_CACHE = CacheStrategy.noCache
  /// The same as `cache`.
  public static let CACHE = CacheStrategy.cache
  /// The same as `cacheOnFailure`.
  public static let CACHE_ON_FAILURE = CacheStrategy.cacheOnFailure
}
