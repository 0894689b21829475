#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// Stores with a loader.
extension StorageAware {
  /// Returns this store with a loader behind it, which returns a value and how long it is fresh.
  ///
  /// A store of plain values keeps only an expiry for each. It keeps a value for `policy.staleFor` beyond its
  /// freshness, whatever the loader returned, and remembers no absence. `policy.neverOlderThan` and
  /// `policy.refreshAhead` do not apply, since they need to know when a load began. A loader that returns tags or a
  /// validator causes `StorageError.invalidConfiguration`. `Storage`, `AsyncStorage`, stores of bytes and stores of
  /// `Cached` values keep everything.
  @_disfavoredOverload
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(DatedStorage(self, policy), policy, clock: clock, generations: generations, load: load)
  }

  /// Returns this store with a loader behind it.
  ///
  /// ```swift
  /// let users = memory.loading(value: { id in try database.user(id) })
  /// ```
  @_disfavoredOverload
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Value
  ) -> LoadingStorage<Key, Value> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}

extension StorageAware {
  /// Returns this store of entries with a loader behind it, which returns a value and how long it is fresh.
  ///
  /// ```swift
  /// let memory = MemoryStorage<UUID, Cached<User>>(config: MemoryConfig(countLimit: 10_000))
  /// let users = memory.loading(LoadPolicy(freshFor: .seconds(300))) { request in
  ///   .value(try database.user(request.key), tags: ["users"])
  /// }
  /// ```
  @inlinable
  public func loading<Loading>(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Loading>) async throws -> Loaded<Loading>
  ) -> LoadingStorage<Key, Loading> where Value == Cached<Loading> {
    LoadingStorage(self, policy, clock: clock, generations: generations, load: load)
  }

  /// Returns this store of entries with a loader behind it.
  @inlinable
  public func loading<Loading>(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Loading
  ) -> LoadingStorage<Key, Loading> where Value == Cached<Loading> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}

extension StorageAware where Value == Data {
  /// Returns this store of bytes with a loader behind it, which returns bytes and how long they are fresh. A header
  /// before the bytes holds that time. Bytes without a header, written by others, are fresh for as long as they are
  /// stored.
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Data>) async throws -> Loaded<Data>
  ) -> LoadingStorage<Key, Data> {
    LoadingStorage(cachedEntries(policy), policy, clock: clock, generations: generations, load: load)
  }

  /// Returns this store of bytes with a loader behind it.
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Data
  ) -> LoadingStorage<Key, Data> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}
