public import StrataCore

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
  func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return nil }
    guard let entry = try await base.read(key, how) else { return nil }
    return try await reading(entry, forKey: key)
  }

  @inlinable
  func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if how.contains(.quietly) { return [:] }
    let entries = try await base.read(keys, how)
    var values = [Key: Entry<Value>](minimumCapacity: entries.count)
    for (key, entry) in entries { values[key] = try await reading(entry, forKey: key) }
    return values
  }

  @inlinable
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await base.change(key, change.asyncMap { try await mapped($0, forKey: key, by: mapFrom) }, how)
  }

  @inlinable
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try await base.change(batch.asyncMap { try await mapped($1, forKey: $0, by: mapFrom) }, how)
  }

  @inlinable
  func reading(_ entry: Entry<Base.Value>, forKey key: Key) async throws -> Entry<Value> {
    guard let value = entry.value else { return Entry(expiry: entry.expiry) }
    let object = try await mapped(value, forKey: key, in: entry.filePath, by: mapTo)
    return entry.map { _ in object }
  }
}

extension AsyncMappedValues: ConditionalStorage where Base: ConditionalStorage {}
