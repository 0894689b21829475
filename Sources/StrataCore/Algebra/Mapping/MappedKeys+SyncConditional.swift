// Generated from MappedKeys+AsyncConditional.swift by `make twins`.
extension MappedKeys: SyncConditionalStorage where Base: SyncConditionalStorage {
  @inlinable
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object, forKey: inner(key), expiry: expiry)
  }

  @inlinable
  func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try base.touch(forKey: inner(key), expiry: expiry)
  }
}

extension MappedKeys: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try base.update(forKey: inner(key), modify)
  }
}
