extension ByteTier: ConditionalStorage where Bytes: ConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await bytes.setIfAbsent(object.data(), forKey: key, expiry: expiry)
  }

  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await bytes.touch(forKey: key, expiry: expiry)
  }
}

extension ByteTier: SyncConditionalStorage where Bytes: SyncConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try bytes.setIfAbsent(object.data(), forKey: key, expiry: expiry)
  }

  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try bytes.touch(forKey: key, expiry: expiry)
  }
}
