extension StorageAware {
  /// Returns `nil`.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { nil }

  /// Calls `body` with the result of `peek`.
  @inlinable
  public func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    guard let entry = peek(forKey: key) else { return nil }
    return withUnsafePointer(to: entry.object) { body($0, entry.expiry) }
  }

  /// The system clock.
  @inlinable
  public var clock: StorageClock { .system }

  /// `false`: an asynchronous store waits by suspending its task.
  public var mayBlock: Bool { false }

  /// `nil`: a struct has no identity of its own.
  public var coordinator: StorageCoordinator<Key>? { nil }

  /// `nil`: changes made by other processes are not reported.
  public var invalidationSource: InvalidationSource<Key>? { nil }

  /// Reads the entry and discards its value. Override it where the expiry alone can be read at less cost.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await entryIfPresent(forKey: key)?.expiry
  }

  /// Calls `setObject` with this expiry.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await setObject(object, forKey: key, expiry: expiry)
  }

  /// Does nothing: there is no memory tier.
  public func removeInMemoryObject(forKey key: Key) async throws {}

  /// Reads the keys one after the other.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try await entryIfPresent(forKey: key) }
    return found
  }

  /// Stores the values one after the other. Stops at the first failure.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    for (key, object) in objects { try await setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores the values of each expiry together. Stops at the first failure.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    for (expiry, objects) in entries.byExpiry() { try await setObjects(objects, expiry: expiry) }
  }

  /// Removes the keys one after the other. Stops at the first failure.
  public func removeObjects(forKeys keys: [Key]) async throws {
    for key in keys { try await removeObject(forKey: key) }
  }
}

extension StorageAware where Self: AnyObject {
  /// The coordinator of this object, shared by everything that uses the object.
  public var coordinator: StorageCoordinator<Key>? { StorageCoordinator.of(self) }
}

extension SyncStorageAware {
  /// `true`: a synchronous store waits by blocking its thread. Override it in a store that never waits.
  public var mayBlock: Bool { true }

  /// Reads the entry and discards its value. Override it where the expiry alone can be read at less cost.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try entryIfPresent(forKey: key)?.expiry
  }

  /// Calls `setObject` with this expiry.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try setObject(object, forKey: key, expiry: expiry)
  }

  /// Does nothing: there is no memory tier.
  public func removeInMemoryObject(forKey key: Key) throws {}

  /// Reads the keys one after the other.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try entryIfPresent(forKey: key) }
    return found
  }

  /// Stores the values one after the other. Stops at the first failure.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    for (key, object) in objects { try setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores the values of each expiry together. Stops at the first failure.
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    for (expiry, objects) in entries.byExpiry() { try setObjects(objects, expiry: expiry) }
  }

  /// Removes the keys one after the other. Stops at the first failure.
  public func removeObjects(forKeys keys: [Key]) throws {
    for key in keys { try removeObject(forKey: key) }
  }
}

extension Dictionary {
  /// Returns the values of entries, by their expiry.
  fileprivate func byExpiry<Object>() -> [Expiry: [Key: Object]] where Value == Entry<Object> {
    var found: [Expiry: [Key: Object]] = [:]
    for (key, entry) in self { found[entry.expiry, default: [:]][key] = entry.object }
    return found
  }
}
