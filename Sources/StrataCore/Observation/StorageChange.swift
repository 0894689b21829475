/// What happened to a store.
public enum StorageChange<Key> {
  /// A value was stored under a key, new or in place of another.
  case add(key: Key)
  /// What was stored under a key was removed.
  case remove(key: Key)
  /// Everything was removed.
  case removeAll
  /// What had expired was removed.
  case removeExpired
  /// A key was dropped from memory; other tiers keep it.
  case removeInMemory(key: Key)
}

extension StorageChange: Sendable where Key: Sendable {}
extension StorageChange: Equatable where Key: Equatable {}

/// What happened to the value under one key.
public enum KeyChange<Value> {
  /// A value was stored. `before` is what was there, unless nothing was or it had expired or was of another type.
  case edit(before: Value?, after: Value)
  /// The value is gone, or another view put one of a type in its place that this view cannot read.
  case remove
}

extension KeyChange: Sendable where Value: Sendable {}
extension KeyChange: Equatable where Value: Equatable {}
