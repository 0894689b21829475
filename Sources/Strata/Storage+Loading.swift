import StrataCore
public import StrataLoading

extension Storage {
  /// This store with a loader behind it, which answers with a value and how long it is fresh.
  ///
  /// What was stored without a loader is read too, and is fresh for as long as it is stored. What the loading store
  /// writes has a header before it: read it through the loading store.
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

  /// This store with a loader behind it that takes many keys at once: `objects(forKeys:)` makes one call for all that
  /// is missing.
  ///
  /// ```swift
  /// let users = storage.loading(LoadPolicy(freshFor: .seconds(300), bulkLimit: 100), many: { requests in
  ///   try await database.users(requests.map(\.key)).mapValues { .value($0) }
  /// })
  /// let team = try await users.objects(forKeys: ids)
  /// ```
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>]
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      transform(to: transformer.cached(policy)), policy, clock: clock, generations: generations, many: load)
  }

  /// This store with a loader behind it.
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
  /// This store with a loader behind it that blocks, for use without `await`.
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
  /// This store with a loader behind it, which answers with a value and how long it is fresh.
  ///
  /// What was stored without a loader is read too, and is fresh for as long as it is stored. What the loading store
  /// writes has a header before it: read it through the loading store.
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    _ load: @escaping @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      transform(to: transformer.cached(policy)), policy, clock: clock, generations: generations, load: load)
  }

  /// This store with a loader behind it that takes many keys at once: `objects(forKeys:)` makes one call for all that
  /// is missing.
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>]
  ) -> LoadingStorage<Key, Value> {
    LoadingStorage(
      transform(to: transformer.cached(policy)), policy, clock: clock, generations: generations, many: load)
  }

  /// This store with a loader behind it.
  @inlinable
  public func loading(
    _ policy: LoadPolicy = LoadPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    value: @escaping @Sendable (Key) async throws -> Value
  ) -> LoadingStorage<Key, Value> {
    loading(policy, clock: clock) { request in .value(try await value(request.key)) }
  }
}
