extension MappedKeys: ConditionalStorage where Base: ConditionalStorage {
  @inlinable
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object, forKey: inner(key), expiry: expiry)
  }

  @inlinable
  func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await base.touch(forKey: inner(key), expiry: expiry)
  }
}

extension MappedKeys: SyncConditionalStorage where Base: SyncConditionalStorage {
  @inlinable
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object, forKey: inner(key), expiry: expiry)
  }

  @inlinable
  func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try base.touch(forKey: inner(key), expiry: expiry)
  }
}

extension MappedKeys: CountingStorage where Base: CountingStorage {
  @inlinable
  func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await base.increment(forKey: inner(key), by: amount)
  }
}

extension MappedKeys: UpdateableStorage where Base: UpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await base.update(forKey: inner(key), modify)
  }
}

extension MappedKeys: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try base.update(forKey: inner(key), modify)
  }
}
