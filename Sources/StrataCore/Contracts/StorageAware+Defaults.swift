extension StorageAware {
  /// Nothing.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { nil }

  /// The system's clock.
  @inlinable
  public var clock: StorageClock { .system }

  /// Asynchronous stores wait by suspending.
  public var mayBlock: Bool { false }

  /// None: a struct has no identity of its own.
  public var hub: StorageHub<Key>? { nil }

  /// None: what others change is not heard of.
  public var announcer: StorageAnnouncer<Key>? { nil }

  /// Reads the value and throws it away. Override it where an expiry can be had for less.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await entryIfPresent(forKey: key)?.expiry
  }

  /// A write with the expiry that was read.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await setObject(object, forKey: key, expiry: expiry)
  }

  /// Nothing: there is no memory tier.
  public func removeInMemoryObject(forKey key: Key) async throws {}

  /// One read after the other.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try await entryIfPresent(forKey: key) }
    return found
  }

  /// One write after the other; stops at the first that fails.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    for (key, object) in objects { try await setObject(object, forKey: key, expiry: expiry) }
  }

  /// One removal after the other; stops at the first that fails.
  public func removeObjects(forKeys keys: [Key]) async throws {
    for key in keys { try await removeObject(forKey: key) }
  }
}

extension StorageAware where Self: AnyObject {
  /// The hub that belongs to this object, for as long as anything uses it.
  public var hub: StorageHub<Key>? { StorageHub.of(self) }
}

extension SyncStorageAware {
  /// A synchronous store that waits, waits with its thread. Override it in a store that never waits.
  public var mayBlock: Bool { true }

  /// Reads the value and throws it away. Override it where an expiry can be had for less.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try entryIfPresent(forKey: key)?.expiry
  }

  /// A write with the expiry that was read.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try setObject(object, forKey: key, expiry: expiry)
  }

  /// Nothing: there is no memory tier.
  public func removeInMemoryObject(forKey key: Key) throws {}

  /// One read after the other.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try entryIfPresent(forKey: key) }
    return found
  }

  /// One write after the other; stops at the first that fails.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    for (key, object) in objects { try setObject(object, forKey: key, expiry: expiry) }
  }

  /// One removal after the other; stops at the first that fails.
  public func removeObjects(forKeys keys: [Key]) throws {
    for key in keys { try removeObject(forKey: key) }
  }
}
