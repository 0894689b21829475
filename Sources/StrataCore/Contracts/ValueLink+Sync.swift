// Generated from ValueLink+Async.swift by `make twins`.
extension SyncValueLink {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    guard let entry = try base.read(key, how) else { return nil }
    return try shown(entry, forKey: key)
  }

  @inlinable
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if how.contains(.quietly) { return try readEach(keys, how) }
    let entries = try base.read(keys, how)
    var found = [Key: Entry<Value>](minimumCapacity: entries.count)
    for (key, entry) in entries { found[key] = try shown(entry, forKey: key) }
    return found
  }

  @inlinable
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try base.change(key, change.map { try stored($0, forKey: key) }, how)
  }

  @inlinable
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    try base.change(batch.map { try stored($1, forKey: $0) }, how)
  }
}
