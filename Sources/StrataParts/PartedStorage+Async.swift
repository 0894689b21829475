#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

// sync: extension PartedStorage: SyncStorageAware, SyncStorageLink
// sync: where Base: SyncStorageAware, Parts: SyncStorageAware {
extension PartedStorage {
  package func read(_ key: Key, _ how: How) async throws -> Entry<Data>? {
    guard let entry = try await base.read(key, how) else { return nil }
    return try await whole(entry, key, how)
  }

  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Data>] {
    var found: [Key: Entry<Data>] = [:]
    for (key, entry) in try await base.read(keys, how) { found[key] = try await whole(entry, key, how) }
    return found
  }

  /// Returns an entry with its value. If the value is replaced meanwhile, returns the new one.
  private func whole(_ entry: Entry<Data>, _ key: Key, _ how: How) async throws -> Entry<Data>? {
    if how.contains(.expiryOnly) { return Entry(expiry: entry.expiry) }
    var entry = entry
    while true {
      switch try stored(entry.object, key) {
      case .whole(let data): return entry.map { _ in data }
      case .divided where how.contains(.quietly): return nil
      case .divided(let value):
        try how.refuseAtOnce()
        if let data = try await data(of: value, key) { return Entry(object: data, expiry: entry.expiry) }
        guard let current = try await base.read(key, []) else { return nil }
        if current.object == entry.object { throw value.incomplete.with(key: key) }
        entry = current
      }
    }
  }

  /// Returns the value of an entry, if it is in parts.
  func divided(_ key: Key) async throws -> DividedValue? {
    try await base.read(key, []).flatMap { try stored($0.object, key).divided }
  }

  private func data(of value: DividedValue, _ key: Key) async throws -> Data? {
    var data = Data(capacity: value.length)
    for numbers in value.steps {
      guard let bytes = try await records(numbers, of: value, key) else { return nil }
      data += bytes
    }
    return data
  }

  /// Returns the bytes of parts, or `nil` if one is not stored.
  func records(_ numbers: Range<Int>, of value: DividedValue, _ key: Key) async throws -> Data? {
    let names = PartOwner.parts(numbers, of: value.id.text)
    let found = try await parts.read(names, [])
    do { return try value.assembled(numbers, names.map { found[$0]?.object }) } catch let error
      as StorageError
    {
      throw error.with(key: key)
    }
  }

  package func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    try how.refuseAtOnce()
    guard change.hasObject else {
      if case .remove = change.kind {
        return try await replacing([key]) { try await base.change(key, change, how) }
      }
      return try await base.change(key, change, how)
    }
    return try await storing(change.object, key) { stored in
      try await base.change(key, change.map { _ in stored }, how)
    }
  }

  package func change(_ batch: StoreBatch<Key, Data>, _ how: How) async throws {
    try how.refuseAtOnce()
    if batch.objects.values.contains(where: { $0.count > partSize }) {
      for (expiry, objects) in batch.byExpiry {
        for (key, object) in objects { _ = try await self.change(key, .set(object, expiry), how) }
      }
      return
    }
    let batch = batch.map { StoredValue.whole(of: $1) }
    _ = try await replacing(batch.keys) {
      try await base.change(batch, how)
      return true
    }
  }

  package func clear(_ extent: StoreExtent) async throws {
    try await base.clear(extent)
    do { try await sweep() } catch  where extent == .everything {
      // All entries are removed. A later sweep removes the parts.
    }
  }
}

// sync: extension PartedStorage: SyncUpdateableStorage
// sync: where Base: SyncStorageAware & SyncUpdateableStorage, Parts: SyncStorageAware {
extension PartedStorage: UpdateableStorage where Base: UpdateableStorage {
  /// Reads, changes and stores a value. If another process changes it meanwhile, runs `modify` again.
  package func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    while true {
      guard let seen = try await base.read(key, []), let entry = try await whole(seen, key, []),
        entry.isLive(by: clock)
      else { throw StorageError.notFound.with(key: key) }
      var value = entry.object
      try modify(&value)
      let isStored = try await storing(value, key) { stored in
        try await base.compareAndSet(stored, ifEqual: seen.object, forKey: key)
      }
      if isStored { return value }
    }
  }
}
