extension ObscuredStorage: ConditionalStorage where Base: ConditionalStorage {}

extension ObscuredStorage: SyncConditionalStorage where Base: SyncConditionalStorage {}

extension ObscuredStorage: CountingStorage where Base: CountingStorage {
  func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await base.increment(forKey: key, by: amount)
  }
}

extension ObscuredStorage: UpdateableStorage where Base: UpdateableStorage {
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await base.update(forKey: key, modify)
  }
}

extension ObscuredStorage: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try base.update(forKey: key, modify)
  }
}
