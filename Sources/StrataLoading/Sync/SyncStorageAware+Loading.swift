#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SyncStorageAware {
  /// Returns this store with a blocking loader behind it, for use without `await`. For the metadata that a store of
  /// plain values keeps see `loading(_:_:)`.
  @_disfavoredOverload
  public func syncLoading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) throws -> Loaded<Value>
  ) -> SyncLoadingStorage<Key, Value> {
    SyncLoadingStorage(
      over: DatedStorage(self, policy), policy, clock: clock, generations: generations, load: load)
  }

  /// Returns this store of entries with a blocking loader behind it, for use without `await`.
  @inlinable
  public func syncLoading<Loading>(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Loading>) throws -> Loaded<Loading>
  ) -> SyncLoadingStorage<Key, Loading> where Value == Cached<Loading> {
    SyncLoadingStorage(self, policy, clock: clock, generations: generations, load: load)
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns this store of bytes with a blocking loader behind it, for use without `await`.
  public func syncLoading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Data>) throws -> Loaded<Data>
  ) -> SyncLoadingStorage<Key, Data> {
    SyncLoadingStorage(
      over: cachedEntries(policy), policy, clock: clock, generations: generations, load: load)
  }
}
