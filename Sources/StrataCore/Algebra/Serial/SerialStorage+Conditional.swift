extension SerialStorage: ConditionalStorage {
  /// Stores a value if none is stored under the key, or only one that has expired, when its turn has come. Returns
  /// whether it was stored.
  ///
  /// Atomic for all in this line; for all others where the store below is a `ConditionalStorage`.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await line.run { try await base.storeIfAbsent(object, forKey: key, expiry: expiry) }
  }

  /// Changes the expiry of a stored value when its turn has come; `false` if nothing is stored, or what has expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await line.run { try await base.changeExpiry(forKey: key, to: expiry) }
  }
}

extension SerialStorage: SyncConditionalStorage where Base: SyncStorageAware {
  /// Stores a value if none is stored under the key, or only one that has expired, when its turn has come. Returns
  /// whether it was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try line.runBlocking { try base.storeIfAbsent(object, forKey: key, expiry: expiry) }
  }

  /// Changes the expiry of a stored value when its turn has come; `false` if nothing is stored, or what has expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try line.runBlocking { try base.changeExpiry(forKey: key, to: expiry) }
  }
}

extension SerialStorage: CountingStorage where Base: CountingStorage {
  /// Adds to the integer stored under a key, as the store below does, when its turn has come.
  public func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await line.run { try await base.increment(forKey: key, by: amount) }
  }
}

extension SerialStorage: SyncUpdateableStorage where Base: SyncStorageAware {}
