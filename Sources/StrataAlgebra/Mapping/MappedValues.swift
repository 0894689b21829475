public import StrataCore

/// A store whose values are mapped both ways.
@usableFromInline
struct MappedValues<Base: StorageAware, Value: Sendable>: StorageLink {
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
  func reading(_ entry: Entry<Base.Value>, forKey key: Key) throws -> Entry<Value> {
    try entry.map { try mapped($0, forKey: key, in: entry.filePath, by: mapTo) }
  }

  @inlinable
  func reading(_ entries: [Key: Entry<Base.Value>]) throws -> [Key: Entry<Value>] {
    var values: [Key: Entry<Value>] = [:]
    values.reserveCapacity(entries.count)
    for (key, entry) in entries { values[key] = try reading(entry, forKey: key) }
    return values
  }

  /// Maps a value of the inner store, changes it and maps it back. Returns the changed value.
  @inlinable
  func modified(
    _ stored: inout Base.Value, forKey key: Key, by modify: (inout Value) throws -> Void
  ) throws -> Value {
    var value = try mapped(stored, forKey: key, by: mapTo)
    try modify(&value)
    stored = try mapped(value, forKey: key, by: mapFrom)
    return value
  }
}

extension MappedValues: ConditionalStorage where Base: ConditionalStorage {}

extension MappedValues: SyncConditionalStorage where Base: SyncConditionalStorage {}
