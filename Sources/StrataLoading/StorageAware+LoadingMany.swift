#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import StrataAlgebra
public import StrataCore

extension StorageAware {
  /// Returns this store with a loader of many keys behind it. For the metadata that a store of plain values keeps see
  /// `loading(_:_:)`.
  ///
  /// `objects(forKeys:)` calls the loader once for all missing keys, or with at most `chunk` keys at a time; without
  /// `chunk`, `LoadPolicy.bulkLimit` keys. Other reads call it with one key.
  @_disfavoredOverload
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>],
    chunk: Int? = nil
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      DatedStorage(self, policy), policy.chunked(chunk), clock: clock, generations: generations, many: load)
  }

  /// Returns this store of entries with a loader of many keys behind it.
  ///
  /// `objects(forKeys:)` calls the loader once for all missing keys, or with at most `chunk` keys at a time; without
  /// `chunk`, `LoadPolicy.bulkLimit` keys. Other reads call it with one key. A key that is missing from the result has
  /// no value. Values of further keys are stored too, unless anything has changed meanwhile. If the call throws, all
  /// its keys have failed.
  ///
  /// ```swift
  /// let users = memory.loading(LoadPolicy(freshFor: .seconds(300)), many: { requests in
  ///   try await database.users(requests.map(\.key)).mapValues { .value($0) }
  /// }, chunk: 100)
  /// let team = try await users.objects(forKeys: ids)
  /// ```
  @inlinable
  public func loading<Loading>(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Loading>]) async throws -> [Key: Loaded<Loading>],
    chunk: Int? = nil
  ) -> LoadingStorage<Key, Loading> where Value == Cached<Loading> {
    LoadingStorage(self, policy.chunked(chunk), clock: clock, generations: generations, many: load)
  }
}

extension StorageAware where Value == Data {
  /// Returns this store of bytes with a loader of many keys behind it: `objects(forKeys:)` calls it for all missing
  /// keys, with at most `chunk` at a time; without `chunk`, `LoadPolicy.bulkLimit`.
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Data>]) async throws -> [Key: Loaded<Data>],
    chunk: Int? = nil
  ) -> LoadingStorage<Key, Data> {
    LoadingStorage(
      cachedEntries(policy), policy.chunked(chunk), clock: clock, generations: generations, many: load)
  }

  /// Returns the bytes as entries, each with a header.
  func cachedEntries(_ policy: LoadPolicy) -> some StorageAware<Key, Cached<Data>> {
    let transformer = Transformer.data.cached(policy)
    return mapValues(to: Cached<Data>.self, mapTo: transformer.fromData, mapFrom: transformer.toData)
  }
}
