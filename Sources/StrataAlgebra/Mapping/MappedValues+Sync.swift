// Generated from MappedValues+Async.swift by `make twins`.
public import StrataCore

extension MappedValues: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    var changed: Value?
    let stored = try base.update(forKey: key) { changed = try modified(&$0, forKey: key, by: modify) }
    return try changed ?? mapped(stored, forKey: key, by: mapTo)
  }
}
