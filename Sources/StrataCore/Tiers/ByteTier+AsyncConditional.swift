extension ByteTier: ConditionalStorage where Base: ConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object.data(), forKey: key, expiry: expiry)
  }
}
