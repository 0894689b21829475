extension AsyncMappedValues: ConditionalStorage where Base: ConditionalStorage {
  @inlinable
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(mapped(object, forKey: key, by: mapFrom), forKey: key, expiry: expiry)
  }
}
