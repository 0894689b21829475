public import StrataCore

/// The functions of `AsyncStorage` for code without `await`.
///
/// A call takes its place in the key's queue before it returns: two calls made one after the other run in this order.
/// Completions are called on a thread of the library, which they may block. So every call changes threads, even one
/// that need not wait.
extension AsyncStorage {
  /// Reads a value; fails with `.notFound` if it is absent or has expired.
  public func object(forKey key: Key, completion: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    run(.read(key), then: completion) { try $0.value(of: key, $1) }
  }

  /// Returns the value, or `nil` if it is absent or has expired.
  public func objectIfPresent(
    forKey key: Key, completion: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    run(.read(key), then: completion) { $1.liveObject(by: $0.clock) }
  }

  /// Reads a value with its expiry; fails with `.notFound` if it is absent. The value may have expired.
  public func entry(
    forKey key: Key, completion: @escaping @Sendable (Result<Entry<Value>, any Error>) -> Void
  ) {
    run(.read(key), then: completion) {
      guard let entry = $1 else { throw StorageError.notFound.with(key: key) }
      return entry
    }
  }

  /// Returns whether a value is stored that has not expired. Never decodes it.
  public func objectExists(forKey key: Key, completion: @escaping @Sendable (Result<Bool, any Error>) -> Void)
  {
    run(.read(key, .expiryOnly), then: completion) { $1.isLive(by: $0.clock) }
  }

  /// Returns whether the value has expired or is absent. Never decodes it.
  public func isExpiredObject(
    forKey key: Key, completion: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) {
    run(.read(key, .expiryOnly), then: completion) { !$1.isLive(by: $0.clock) }
  }

  /// Returns the keys of all values that have not expired.
  public func keys(completion: @escaping @Sendable (Result<[Key], any Error>) -> Void) {
    run(.keys(), then: completion)
  }

  /// Returns the keys of all values that have not expired; another name for `keys`.
  public func allKeys(completion: @escaping @Sendable (Result<[Key], any Error>) -> Void) {
    run(.keys(), then: completion)
  }

  /// Returns all values that have not expired.
  public func allObjects(completion: @escaping @Sendable (Result<[Value], any Error>) -> Void) {
    run(.allObjects(), then: completion)
  }

  /// Reads the entries of several keys in one batch.
  public func entries(
    forKeys keys: [Key], completion: @escaping @Sendable (Result<[Key: Entry<Value>], any Error>) -> Void
  ) {
    run(.read(keys), then: completion)
  }

  /// Stores a value. Without an expiry, each tier applies its own.
  ///
  /// ```swift
  /// storage.setObject(ada, forKey: "ada") { result in
  ///   if case .failure(let error) = result { print(error) }
  /// }
  /// ```
  public func setObject(
    _ object: Value, forKey key: Key, expiry: Expiry? = nil,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    run(.change(key, .set(object, expiry)), then: completion) { _, _ in }
  }

  /// Stores several values in one batch.
  public func setObjects(
    _ objects: [Key: Value], expiry: Expiry? = nil,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    run(.change(.set(objects, expiry)), then: completion)
  }

  /// Removes the value under a key. Does nothing if it is absent.
  public func removeObject(forKey key: Key, completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
  {
    chain.coordinator.loads.overtake(.key(key))
    run(.change(key, .remove), then: completion) { _, _ in }
  }

  /// Removes the values of several keys in one batch.
  public func removeObjects(
    forKeys keys: [Key], completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    chain.coordinator.loads.overtake(TurnScope(keys))
    run(.change(.remove(keys)), then: completion)
  }

  /// Removes a value from memory only. The next read takes it from the next tier.
  public func removeInMemoryObject(
    forKey key: Key, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    run(.change(key, .forget), then: completion) { _, _ in }
  }

  /// Removes all values.
  public func removeAll(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    chain.coordinator.loads.overtake(.everything)
    run(.clear(.everything, watched: []), then: completion)
  }

  /// Removes all expired values.
  public func removeExpiredObjects(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    run(.clear(.expired, watched: chain.coordinator.observers.watchedKeys), then: completion)
  }

  /// Reads, changes and stores a value as one operation.
  public func update(
    forKey key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    run(.update(key, modify), then: completion)
  }
}

extension AsyncStorage {
  /// Runs an operation, and calls the completion with a part of its result.
  private func run<R: Sendable, Part: Sendable>(
    _ operation: Operation<R>, then completion: @escaping Completion<Part>,
    _ part: @escaping @Sendable (Chain<Key>, R) throws -> Part
  ) {
    run(operation) { [chain] result in
      completion(result.flatMap { result in Result { try part(chain, result) } })
    }
  }
}

extension Chain {
  fileprivate func value<Value>(of key: Key, _ entry: Entry<Value>?) throws -> Value {
    guard let value = entry.liveObject(by: clock) else { throw StorageError.notFound.with(key: key) }
    return value
  }
}
