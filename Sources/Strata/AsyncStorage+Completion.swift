public import StrataCore

/// The functions of `AsyncStorage` for code without `await`.
///
/// Calls take their place in the order at once: of two calls one after the other on one key, the first is done first.
/// Completions are called on a thread of the library, which they may block; so each call changes threads, also one that
/// would not have to wait.
extension AsyncStorage {
  /// Reads a value; fails with `.notFound` where there is none or it has expired.
  public func object(forKey key: Key, completion: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    run(.object(key), then: completion)
  }

  /// Reads a value; `nil` where there is none or it has expired.
  public func objectIfPresent(
    forKey key: Key, completion: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    run(.objectIfPresent(key), then: completion)
  }

  /// Reads a value with its expiry; fails with `.notFound` where there is none. It may have expired.
  public func entry(
    forKey key: Key, completion: @escaping @Sendable (Result<Entry<Value>, any Error>) -> Void
  ) {
    run(.entry(key), then: completion)
  }

  /// Whether there is a value that has not expired. Never decodes it.
  public func objectExists(forKey key: Key, completion: @escaping @Sendable (Result<Bool, any Error>) -> Void)
  {
    run(.objectExists(key), then: completion)
  }

  /// Whether the value has expired; absent counts as expired. Never decodes it.
  public func isExpiredObject(
    forKey key: Key, completion: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) {
    run(.isExpiredObject(key), then: completion)
  }

  /// The keys of all that is stored and has not expired.
  public func keys(completion: @escaping @Sendable (Result<[Key], any Error>) -> Void) {
    run(.keys(), then: completion)
  }

  /// The keys of all that is stored and has not expired; another name for `keys`.
  public func allKeys(completion: @escaping @Sendable (Result<[Key], any Error>) -> Void) {
    run(.keys(), then: completion)
  }

  /// All values that have not expired.
  public func allObjects(completion: @escaping @Sendable (Result<[Value], any Error>) -> Void) {
    run(.allObjects(), then: completion)
  }

  /// Reads many keys in one batch.
  public func entries(
    forKeys keys: [Key], completion: @escaping @Sendable (Result<[Key: Entry<Value>], any Error>) -> Void
  ) {
    run(.entries(keys), then: completion)
  }

  /// Stores a value. Without an expiry those of the tiers apply.
  public func setObject(
    _ object: Value, forKey key: Key, expiry: Expiry? = nil,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    run(.setObject(object, key, expiry), then: completion)
  }

  /// Stores many values in one batch.
  public func setObjects(
    _ objects: [Key: Value], expiry: Expiry? = nil,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    run(.setObjects(objects, expiry), then: completion)
  }

  /// Removes what is stored under a key, if anything is.
  public func removeObject(forKey key: Key, completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
  {
    chain.hub.loads.overtake(.key(key))
    run(.removeObject(key), then: completion)
  }

  /// Removes many keys in one batch.
  public func removeObjects(
    forKeys keys: [Key], completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    chain.hub.loads.overtake(TurnScope(keys))
    run(.removeObjects(keys), then: completion)
  }

  /// Drops a key from memory. The next read finds it in the tier behind.
  public func removeInMemoryObject(
    forKey key: Key, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    run(.removeInMemoryObject(key), then: completion)
  }

  /// Removes everything.
  public func removeAll(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    chain.hub.loads.overtake(.everything)
    run(.removeAll(), then: completion)
  }

  /// Removes what has expired.
  public func removeExpiredObjects(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    run(.removeExpiredObjects(watched: chain.hub.observers.watchedKeys), then: completion)
  }

  /// Reads a value, changes it and stores it, as one operation.
  public func update(
    forKey key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    run(.update(key, modify), then: completion)
  }
}
