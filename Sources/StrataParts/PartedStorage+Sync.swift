// Generated from PartedStorage+Async.swift by `make twins`.
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

extension PartedStorage: SyncStorageAware, SyncStorageLink
where Base: SyncStorageAware, Parts: SyncStorageAware {
  package func read(_ key: Key, _ how: How) throws -> Entry<Data>? {
    guard let entry = try base.read(key, how) else { return nil }
    return try whole(entry, key, how)
  }

  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Data>] {
    var found: [Key: Entry<Data>] = [:]
    for (key, entry) in try base.read(keys, how) { found[key] = try whole(entry, key, how) }
    return found
  }

  /// Returns an entry with its value. If the value is replaced meanwhile, returns the new one.
  private func whole(_ entry: Entry<Data>, _ key: Key, _ how: How) throws -> Entry<Data>? {
    if how.contains(.expiryOnly) { return Entry(expiry: entry.expiry) }
    var entry = entry
    while true {
      switch try stored(entry.object, key) {
      case .whole(let data): return entry.map { _ in data }
      case .divided where how.contains(.quietly): return nil
      case .divided(let value):
        try how.refuseAtOnce()
        if let data = try data(of: value, key) { return Entry(object: data, expiry: entry.expiry) }
        guard let current = try base.read(key, []) else { return nil }
        if current.object == entry.object { throw value.incomplete.with(key: key) }
        entry = current
      }
    }
  }

  /// Returns the value of an entry, if it is in parts.
  func divided(_ key: Key) throws -> DividedValue? {
    try base.read(key, []).flatMap { try stored($0.object, key).divided }
  }

  private func data(of value: DividedValue, _ key: Key) throws -> Data? {
    var data = Data(capacity: value.length)
    for numbers in value.steps {
      guard let bytes = try records(numbers, of: value, key) else { return nil }
      data += bytes
    }
    return data
  }

  /// Returns the bytes of parts, or `nil` if one is not stored.
  func records(_ numbers: Range<Int>, of value: DividedValue, _ key: Key) throws -> Data? {
    let names = PartOwner.parts(numbers, of: value.id.text)
    let found = try parts.read(names, [])
    do { return try value.assembled(numbers, names.map { found[$0]?.object }) } catch let error
      as StorageError
    {
      throw error.with(key: key)
    }
  }

  package func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) throws -> Bool {
    try how.refuseAtOnce()
    guard change.hasObject else {
      if case .remove = change.kind {
        return try replacing([key]) { try base.change(key, change, how) }
      }
      return try base.change(key, change, how)
    }
    return try storing(change.object, key) { stored in
      try base.change(key, change.map { _ in stored }, how)
    }
  }

  package func change(_ batch: StoreBatch<Key, Data>, _ how: How) throws {
    try how.refuseAtOnce()
    if batch.objects.values.contains(where: { $0.count > partSize }) {
      for (expiry, objects) in batch.byExpiry {
        for (key, object) in objects { _ = try self.change(key, .set(object, expiry), how) }
      }
      return
    }
    let batch = batch.map { StoredValue.whole(of: $1) }
    _ = try replacing(batch.keys) {
      try base.change(batch, how)
      return true
    }
  }

  package func clear(_ extent: StoreExtent) throws {
    try base.clear(extent)
    do { try sweep() } catch  where extent == .everything {
      // All entries are removed. A later sweep removes the parts.
    }
  }
}

extension PartedStorage: SyncUpdateableStorage
where Base: SyncStorageAware & SyncUpdateableStorage, Parts: SyncStorageAware {
  /// Reads, changes and stores a value. If another process changes it meanwhile, runs `modify` again.
  package func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    while true {
      guard let seen = try base.read(key, []), let entry = try whole(seen, key, []),
        entry.isLive(by: clock)
      else { throw StorageError.notFound.with(key: key) }
      var value = entry.object
      try modify(&value)
      let isStored = try storing(value, key) { stored in
        try base.compareAndSet(stored, ifEqual: seen.object, forKey: key)
      }
      if isStored { return value }
    }
  }
}
