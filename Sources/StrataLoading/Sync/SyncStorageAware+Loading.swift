#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SyncStorageAware {
  /// This store with a loader behind it that blocks, for use without `await`; of a store of plain values, as
  /// `loading(_:_:)` says.
  @_disfavoredOverload
  public func syncLoading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) throws -> Loaded<Value>
  ) -> SyncLoadingStorage<Key, Value> {
    let dated = DatedStorage(self, policy)
    return SyncLoadingStorage(
      any: dated, policy, clock: clock, generations: generations,
      peek: { dated.peek(forKey: $0) }, load: load)
  }

  /// This store of entries with a loader behind it that blocks, for use without `await`.
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
  /// This store of bytes with a loader behind it that blocks, for use without `await`.
  public func syncLoading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Data>) throws -> Loaded<Data>
  ) -> SyncLoadingStorage<Key, Data> {
    let entries = cachedEntries(policy)
    return SyncLoadingStorage(
      any: entries, policy, clock: clock, generations: generations,
      peek: { entries.peek(forKey: $0) }, load: load)
  }
}
