// Generated from MappedValues+AsyncConditional.swift by `make twins`.
extension MappedValues: SyncConditionalStorage where Base: SyncConditionalStorage {
  @inlinable
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(writing(object, forKey: key), forKey: key, expiry: expiry)
  }
}

extension MappedValues: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    var changed: Value?
    let stored = try base.update(forKey: key) { changed = try modified(&$0, forKey: key, by: modify) }
    return try changed ?? mapped(stored, forKey: key, by: mapTo)
  }
}
