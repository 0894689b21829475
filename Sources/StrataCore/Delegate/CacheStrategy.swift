/// What a cache in memory does in front of a store.
///
/// Changes go to the cache and the store one after the other, so that both agree however many are made at once. Reads
/// run side by side. A removal removes the value from both, even if one fails, whatever the strategy. A value stays in
/// the cache no longer than it is valid in the store. The cancellation of the caller's task is no failure of the store:
/// the caller gets its `CancellationError`, and the value that it was saving is not cached.
public enum CacheStrategy: Sendable {
  /// Everything goes to the store: always fresh.
  case noCache
  /// What is saved is read from memory: fast.
  ///
  /// A save goes to the cache, then to the store; if the store fails, the item stays in the cache and the error is
  /// thrown. A read is served from the cache, else from the store; what it finds there is not cached.
  case cache
  /// The value last saved or read is available when the store fails: resilient.
  ///
  /// A save goes to the store, then to the cache; if the store fails, the value is cached all the same and the error is
  /// thrown. A read asks the store; a value found there is cached, and if none is found the cache is cleared. If the
  /// store fails, the cached value is returned, or the error is thrown if there is none. So a read may return a value
  /// that is stale or was never stored.
  case cacheOnFailure

  /// The same as `noCache`.
  public static let NO_CACHE = CacheStrategy.noCache
  /// The same as `cache`.
  public static let CACHE = CacheStrategy.cache
  /// The same as `cacheOnFailure`.
  public static let CACHE_ON_FAILURE = CacheStrategy.cacheOnFailure
}
