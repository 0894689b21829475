public import StrataCore

extension SerialStorage: CountingStorage where Base: CountingStorage {
  /// Adds to the integer of a key, as the inner store does, in its turn.
  public func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await line.change { try await base.increment(forKey: key, by: amount) }
  }
}
