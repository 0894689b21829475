extension ObscuredStorage: ConditionalStorage where Base: ConditionalStorage {
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await base.touch(forKey: key, expiry: expiry)
  }
}

extension ObscuredStorage: SyncConditionalStorage where Base: SyncConditionalStorage {
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try base.touch(forKey: key, expiry: expiry)
  }
}

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
