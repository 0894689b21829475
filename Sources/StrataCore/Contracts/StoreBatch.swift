/// A change of many keys.
///
/// ```swift
/// try cache.change(.remove(["ada", "bob"]), [])
/// ```
public enum StoreBatch<Key: Hashable, Value> {
  /// Stores values with one expiry. If the expiry is `nil`, the store's default applies.
  case set([Key: Value], Expiry?)
  /// Stores values, each with the expiry of its entry.
  case setEntries([Key: Entry<Value>])
  /// Removes the entries of keys.
  case remove([Key])

  /// The changed keys.
  @inlinable
  public var keys: [Key] {
    switch self {
    case .set(let objects, _): Array(objects.keys)
    case .setEntries(let entries): Array(entries.keys)
    case .remove(let keys): keys
    }
  }

  /// The values to store.
  public var objects: [Key: Value] {
    switch self {
    case .set(let objects, _): objects
    case .setEntries(let entries): entries.mapValues { $0.object }
    case .remove: [:]
    }
  }

  /// Returns this batch with transformed values.
  @inlinable
  public func map<Other, E: Error>(
    _ transform: (Key, Value) throws(E) -> Other
  ) throws(E) -> StoreBatch<Key, Other> {
    switch self {
    case .set(let objects, let expiry):
      var others = [Key: Other](minimumCapacity: objects.count)
      for (key, object) in objects { others[key] = try transform(key, object) }
      return .set(others, expiry)
    case .setEntries(let entries):
      var others = [Key: Entry<Other>](minimumCapacity: entries.count)
      for (key, entry) in entries {
        others[key] = try entry.map { (object) throws(E) in try transform(key, object) }
      }
      return .setEntries(others)
    case .remove(let keys): return .remove(keys)
    }
  }

  @inlinable
  package func asyncMap<Other>(
    _ transform: (Key, Value) async throws -> Other
  ) async throws -> StoreBatch<Key, Other> {
    switch self {
    case .set(let objects, let expiry):
      var others = [Key: Other](minimumCapacity: objects.count)
      for (key, object) in objects { others[key] = try await transform(key, object) }
      return .set(others, expiry)
    case .setEntries(let entries):
      var others = [Key: Entry<Other>](minimumCapacity: entries.count)
      for (key, entry) in entries {
        others[key] = Entry(object: try await transform(key, entry.object), expiry: entry.expiry)
      }
      return .setEntries(others)
    case .remove(let keys): return .remove(keys)
    }
  }

  /// Returns this batch with transformed keys. Of two keys that become the same, one remains.
  @inlinable
  public func mapKeys<Other, E: Error>(
    _ transform: (Key) throws(E) -> Other
  ) throws(E) -> StoreBatch<Other, Value> {
    switch self {
    case .set(let objects, let expiry): return .set(try objects.mapKeys(transform), expiry)
    case .setEntries(let entries): return .setEntries(try entries.mapKeys(transform))
    case .remove(let keys):
      var others: [Other] = []
      others.reserveCapacity(keys.count)
      for key in keys { others.append(try transform(key)) }
      return .remove(others)
    }
  }

  /// Returns this batch with expiries as stores keep them.
  @inlinable
  package func resolved(by clock: StorageClock) -> StoreBatch {
    switch self {
    case .set(let objects, let expiry): .set(objects, expiry?.resolved(by: clock))
    case .setEntries(let entries): .setEntries(entries.mapValues { $0.resolved(by: clock) })
    case .remove: self
    }
  }
}

extension StoreBatch: Sendable where Key: Sendable, Value: Sendable {}

extension Dictionary {
  /// Returns a dictionary with transformed keys. Of two keys that become the same, one remains.
  @inlinable
  package func mapKeys<Other, E: Error>(_ transform: (Key) throws(E) -> Other) throws(E) -> [Other: Value] {
    var others = [Other: Value](minimumCapacity: count)
    for (key, value) in self { others[try transform(key)] = value }
    return others
  }
}

/// The entries that a store removes without being told their keys.
///
/// ```swift
/// try cache.clear(.expired)
/// ```
public enum StoreExtent: Sendable {
  /// All entries.
  case everything
  /// The entries that have expired.
  case expired
}
