/// What a cache in memory does in front of a store.
///
/// Changes go to cache and store one after the other, so that the two agree however many are made at once; reads
/// run side by side. To remove a value removes it from both, even if one fails, whatever the strategy. A task that is
/// cancelled is no failure of the store: it gets its `CancellationError`, and what it was saving is not cached.
public enum CacheStrategy: Sendable {
  /// Everything goes to the store: always fresh.
  case noCache
  /// What is saved is read from memory: fast.
  ///
  /// A save goes to the cache, then to the store; if the store fails, the item stays in the cache and the error is thrown. A
  /// read is served from the cache, else from the store; what it finds there is not cached.
  case cache
  /// What was read last is at hand when the store fails: resilient.
  ///
  /// A save goes to the store; success clears the cache, a failure caches the item and is thrown. A read asks the
  /// store; success is cached, and nothing found clears the cache. If the store fails, the cached item is returned
  /// instead, or the error is thrown if there is none. So a read may return what is stale or was never stored.
  case cacheOnFailure

  /// The same as `noCache`.
  public static let NO_CACHE = CacheStrategy.noCache
  /// The same as `cache`.
  public static let CACHE = CacheStrategy.cache
  /// The same as `cacheOnFailure`.
  public static let CACHE_ON_FAILURE = CacheStrategy.cacheOnFailure
}
