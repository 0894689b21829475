extension ByteTier: ConditionalStorage where Base: ConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object.data(), forKey: key, expiry: expiry)
  }
}

extension ByteTier: SyncConditionalStorage where Base: SyncConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object.data(), forKey: key, expiry: expiry)
  }
}
