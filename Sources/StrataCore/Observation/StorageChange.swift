/// A change of a store.
///
/// ```swift
/// for await change in users.changes {
///   switch change {
///   case .add(let key): print("stored \(key)")
///   case .remove(let key), .removeInMemory(let key): print("removed \(key)")
///   case .removeAll, .removeExpired: print("removed some")
///   }
/// }
/// ```
public enum StorageChange<Key> {
  /// A value was stored, for a new key or in place of another value.
  case add(key: Key)
  /// The entry of a key was removed.
  case remove(key: Key)
  /// All entries were removed.
  case removeAll
  /// Entries whose keys are not reported are gone: expired ones were removed, or a loading store has removed those with
  /// a tag or made all of them stale.
  case removeExpired
  /// A key was removed from the memory tier; other tiers keep it.
  case removeInMemory(key: Key)
}

extension StorageChange: Sendable where Key: Sendable {}
extension StorageChange: Equatable where Key: Equatable {}

/// A change of the value of one key.
///
/// ```swift
/// for await change in users.changes(forKey: "ada") {
///   switch change {
///   case .edit(let before, let after): print(before?.name ?? "nobody", "is now", after.name)
///   case .remove: print("removed")
///   }
/// }
/// ```
public enum KeyChange<Value> {
  /// A value was stored. `before` is the previous value, or `nil` if there was none, or an expired one, or one of
  /// another type.
  case edit(before: Value?, after: Value)
  /// The value was removed, or another view has replaced it by a value that this view cannot decode.
  case remove
}

extension KeyChange: Sendable where Value: Sendable {}
extension KeyChange: Equatable where Value: Equatable {}
