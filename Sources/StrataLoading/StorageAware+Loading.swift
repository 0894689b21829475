#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store that loads what it does not have.
extension StorageAware {
  /// This store with a loader behind it, which answers with a value and how long it is fresh.
  ///
  /// A store of plain values keeps one date for each: until when it is stored. So it keeps a value for
  /// `policy.staleFor` after the value is fresh, whatever the loader said, and remembers no absence; a loader that
  /// answers with tags or a validator throws `StorageError.invalidConfiguration`. `Storage`, `AsyncStorage`, stores of
  /// bytes and stores of `Cached` values keep all of it.
  @_disfavoredOverload
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(DatedStorage(self, policy), policy, clock: clock, generations: generations, load: load)
  }

  /// This store with a loader behind it.
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
  /// This store of entries with a loader behind it, which answers with a value and how long it is fresh.
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

  /// This store of entries with a loader behind it.
  @inlinable
  public func loading<Loading>(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Loading
  ) -> LoadingStorage<Key, Loading> where Value == Cached<Loading> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}

extension StorageAware where Value == Data {
  /// This store of bytes with a loader behind it, which answers with bytes and how long they are fresh. A header before
  /// them says so; bytes without one, which others have written, are fresh for as long as they are stored.
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Data>) async throws -> Loaded<Data>
  ) -> LoadingStorage<Key, Data> {
    LoadingStorage(cachedEntries(policy), policy, clock: clock, generations: generations, load: load)
  }

  /// This store of bytes with a loader behind it.
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Data
  ) -> LoadingStorage<Key, Data> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}
