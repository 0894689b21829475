/// A store whose values are mapped both ways by functions that may suspend.
@usableFromInline
struct AsyncMappedValues<Base: ReadableStorage & WritableStorage, Value: Sendable>: ReadWriteStorage {
  @usableFromInline typealias Key = Base.Key

  @usableFromInline let base: Base
  @usableFromInline let mapTo: @Sendable (Base.Value) async throws -> Value
  @usableFromInline let mapFrom: @Sendable (Value) async throws -> Base.Value
  @usableFromInline let storageName: String

  @usableFromInline
  init(
    _ base: Base, _ name: String, mapTo: @escaping @Sendable (Base.Value) async throws -> Value,
    mapFrom: @escaping @Sendable (Value) async throws -> Base.Value
  ) {
    self.base = base
    self.mapTo = mapTo
    self.mapFrom = mapFrom
    storageName = name
  }

  @usableFromInline var wrappedStorages: [any StorageDesign] { [base] }

  @inlinable
  func retrieve(forKey key: Key) async throws -> Value {
    try await mapped(base.retrieve(forKey: key), forKey: key, by: mapTo)
  }

  @inlinable
  func set(_ value: Value, forKey key: Key) async throws {
    try await base.set(mapped(value, forKey: key, by: mapFrom), forKey: key)
  }
}

/// Never a `SyncStorageAware`, and `peek` returns `nil`: mapping may take as long as reading.
extension AsyncMappedValues: StorageAware, StorageLink where Base: StorageAware {
  @inlinable
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    guard let entry = try await base.entryIfPresent(forKey: key) else { return nil }
    return try await reading(entry, forKey: key)
  }

  @inlinable
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(mapped(object, forKey: key, by: mapFrom), forKey: key, expiry: expiry)
  }

  @inlinable
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(mapped(object, forKey: key, by: mapFrom), forKey: key, expiry: expiry)
  }

  @inlinable
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    let entries = try await base.entries(forKeys: keys)
    var values: [Key: Entry<Value>] = [:]
    values.reserveCapacity(entries.count)
    for (key, entry) in entries { values[key] = try await reading(entry, forKey: key) }
    return values
  }

  @inlinable
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    var values: [Key: Base.Value] = [:]
    values.reserveCapacity(objects.count)
    for (key, object) in objects { values[key] = try await mapped(object, forKey: key, by: mapFrom) }
    try await base.setObjects(values, expiry: expiry)
  }

  @inlinable
  func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    var values: [Key: Entry<Base.Value>] = [:]
    values.reserveCapacity(entries.count)
    for (key, entry) in entries {
      let value = try await mapped(entry.object, forKey: key, by: mapFrom)
      values[key] = Entry(object: value, expiry: entry.expiry)
    }
    try await base.setEntries(values)
  }

  @inlinable
  func reading(_ entry: Entry<Base.Value>, forKey key: Key) async throws -> Entry<Value> {
    let object = try await mapped(entry.object, forKey: key, in: entry.filePath, by: mapTo)
    return entry.map { _ in object }
  }
}
