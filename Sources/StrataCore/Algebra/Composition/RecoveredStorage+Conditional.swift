extension RecoveredStorage: ConditionalStorage where Base: ConditionalStorage {
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await base.touch(forKey: key, expiry: expiry)
  }
}

extension RecoveredStorage: SyncConditionalStorage where Base: SyncConditionalStorage, R: SyncRecovery {
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try base.touch(forKey: key, expiry: expiry)
  }
}

extension RecoveredStorage: CountingStorage where Base: CountingStorage {
  package func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await base.increment(forKey: key, by: amount)
  }
}
