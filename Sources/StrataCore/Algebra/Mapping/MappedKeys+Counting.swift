extension MappedKeys: CountingStorage where Base: CountingStorage {
  @inlinable
  func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await base.increment(forKey: inner(key), by: amount)
  }
}
