#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension StorageAware {
  /// This store with a loader behind it that takes many keys at once; of a store of plain values, as `loading(_:_:)`
  /// says.
  ///
  /// `objects(forKeys:)` then makes one call for all that is missing. Other reads call it with one key.
  @_disfavoredOverload
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>]
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(DatedStorage(self, policy), policy, clock: clock, generations: generations, many: load)
  }

  /// This store of entries with a loader behind it that takes many keys at once.
  ///
  /// `objects(forKeys:)` then makes one call for all that is missing, or as many as `LoadPolicy.bulkLimit` asks. Other
  /// reads call it with one key. A key that is missing from the answer has no value; values of other keys than those
  /// asked for are stored too, unless anything was changed meanwhile. If the call throws, each key has failed.
  ///
  /// ```swift
  /// let users = memory.loading(LoadPolicy(freshFor: .seconds(300), bulkLimit: 100), many: { requests in
  ///   try await database.users(requests.map(\.key)).mapValues { .value($0) }
  /// })
  /// let team = try await users.objects(forKeys: ids)
  /// ```
  @inlinable
  public func loading<Loading>(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Loading>]) async throws -> [Key: Loaded<Loading>]
  ) -> LoadingStorage<Key, Loading> where Value == Cached<Loading> {
    LoadingStorage(self, policy, clock: clock, generations: generations, many: load)
  }
}

extension StorageAware where Value == Data {
  /// This store of bytes with a loader behind it that takes many keys at once.
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Data>]) async throws -> [Key: Loaded<Data>]
  ) -> LoadingStorage<Key, Data> {
    LoadingStorage(cachedEntries(policy), policy, clock: clock, generations: generations, many: load)
  }

  /// The bytes as entries: a header before each.
  func cachedEntries(_ policy: LoadPolicy) -> some StorageAware<Key, Cached<Data>> {
    let transformer = Transformer.data.cached(policy)
    return mapValues(to: Cached<Data>.self, mapTo: transformer.fromData, mapFrom: transformer.toData)
  }
}
