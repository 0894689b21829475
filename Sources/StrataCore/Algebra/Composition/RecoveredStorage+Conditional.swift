extension RecoveredStorage: ConditionalStorage where Base: ConditionalStorage {}

extension RecoveredStorage: SyncConditionalStorage where Base: SyncConditionalStorage, R: SyncRecovery {}

extension RecoveredStorage: CountingStorage where Base: CountingStorage {
  package func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await base.increment(forKey: key, by: amount)
  }
}
