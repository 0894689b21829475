import StrataCore
public import StrataLoading

extension Storage {
  /// Returns this store with a loader for missing values, which also says how long a value is fresh.
  ///
  /// Values that were stored without a loader are read too, and are fresh as long as they are stored. The loading store
  /// writes a header before each value: read its values through the loading store.
  ///
  /// ```swift
  /// let users = storage.loading(LoadPolicy(freshFor: .seconds(300), staleFor: .seconds(86_400))) { request in
  ///   .value(try await database.user(request.key), tags: ["users"])
  /// }
  /// ```
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      transform(to: transformer.cached(policy)), policy, clock: clock, generations: generations, load: load)
  }

  /// Returns this store with a loader of many keys behind it: `objects(forKeys:)` calls it for all missing keys,
  /// with at most `chunk` at a time; without `chunk`, `LoadPolicy.bulkLimit`.
  ///
  /// ```swift
  /// let users = storage.loading(LoadPolicy(freshFor: .seconds(300)), many: { requests in
  ///   try await database.users(requests.map(\.key)).mapValues { .value($0) }
  /// }, chunk: 100)
  /// let team = try await users.objects(forKeys: ids)
  /// ```
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>],
    chunk: Int? = nil
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      transform(to: transformer.cached(policy)), policy.chunked(chunk), clock: clock,
      generations: generations, many: load)
  }

  /// Returns this store with a loader for missing values.
  ///
  /// ```swift
  /// let users = storage.loading(value: { id in try await database.user(id) })
  /// ```
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Value
  ) -> LoadingStorage<Key, Value> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}

extension Storage {
  /// Returns this store with a loader that blocks, for use without `await`.
  ///
  /// ```swift
  /// let users = storage.syncLoading(LoadPolicy(freshFor: .seconds(300))) { request in
  ///   .value(try database.user(request.key))
  /// }
  /// let user = try users.object(forKey: id)
  /// ```
  @inlinable
  public func syncLoading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) throws -> Loaded<Value>
  ) -> SyncLoadingStorage<Key, Value> {
    SyncLoadingStorage(
      transform(to: transformer.cached(policy)), policy, clock: clock, generations: generations, load: load)
  }
}

extension AsyncStorage {
  /// Returns this store with a loader for missing values, which also says how long a value is fresh.
  ///
  /// Values that were stored without a loader are read too, and are fresh as long as they are stored. The loading store
  /// writes a header before each value: read its values through the loading store.
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      transform(to: transformer.cached(policy)), policy, clock: clock, generations: generations, load: load)
  }

  /// Returns this store with a loader of many keys behind it: `objects(forKeys:)` calls it for all missing keys,
  /// with at most `chunk` at a time; without `chunk`, `LoadPolicy.bulkLimit`.
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>],
    chunk: Int? = nil
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      transform(to: transformer.cached(policy)), policy.chunked(chunk), clock: clock,
      generations: generations, many: load)
  }

  /// Returns this store with a loader for missing values.
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Value
  ) -> LoadingStorage<Key, Value> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}
