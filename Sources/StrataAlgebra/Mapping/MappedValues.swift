public import StrataCore

/// A store whose values are mapped both ways.
@usableFromInline
struct MappedValues<Base: StorageAware, Value: Sendable>: ValueLink {
  @usableFromInline typealias Key = Base.Key

  @usableFromInline let base: Base
  @usableFromInline let mapTo: @Sendable (Base.Value) throws -> Value
  @usableFromInline let mapFrom: @Sendable (Value) throws -> Base.Value
  @usableFromInline let storageName: String
  /// Whether mapping decodes the value, which `peek` never does.
  @usableFromInline let decodes: Bool

  @usableFromInline
  init(
    _ base: Base, _ name: String, decodes: Bool = false,
    mapTo: @escaping @Sendable (Base.Value) throws -> Value,
    mapFrom: @escaping @Sendable (Value) throws -> Base.Value
  ) {
    self.base = base
    self.mapTo = mapTo
    self.mapFrom = mapFrom
    self.decodes = decodes
    storageName = name
  }

  @usableFromInline var wrappedStorages: [any StorageDesign] { [base] }

  /// Returns `nil` for a value that cannot be mapped: the read that follows throws the error.
  @inlinable
  func peek(forKey key: Key) -> Entry<Value>? {
    guard !decodes, let entry = base.peek(forKey: key) else { return nil }
    do { return try entry.map(mapTo) } catch { return nil }
  }

  @inlinable
  @inline(__always)
  func shown(_ entry: Entry<Base.Value>, forKey key: Key) throws -> Entry<Value> {
    try entry.map { try mapped($0, forKey: key, in: entry.filePath, by: mapTo) }
  }

  @inlinable
  @inline(__always)
  func stored(_ value: Value, forKey key: Key) throws -> Base.Value {
    try mapped(value, forKey: key, by: mapFrom)
  }

  /// Maps a value of the inner store, changes it and maps it back. Returns the changed value.
  @inlinable
  func modified(
    _ stored: inout Base.Value, forKey key: Key, by modify: (inout Value) throws -> Void
  ) throws -> Value {
    var value = try mapped(stored, forKey: key, by: mapTo)
    try modify(&value)
    stored = try self.stored(value, forKey: key)
    return value
  }
}

extension MappedValues: SyncStorageAware, SyncStorageLink, SyncValueLink where Base: SyncStorageAware {}

extension MappedValues: ConditionalStorage where Base: ConditionalStorage {}

extension MappedValues: SyncConditionalStorage where Base: SyncConditionalStorage {}
