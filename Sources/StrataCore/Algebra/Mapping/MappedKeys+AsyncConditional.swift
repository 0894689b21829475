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

extension MappedKeys: UpdateableStorage where Base: UpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await base.update(forKey: inner(key), modify)
  }
}
