public import StrataCore

/// A store whose values are mapped when they are read.
@usableFromInline
struct ReadMappedValues<Base: ReadableStorage, Value: Sendable>: ReadableStorage {
  @usableFromInline let base: Base
  @usableFromInline let mapTo: @Sendable (Base.Value) async throws -> Value
  @usableFromInline let storageName: String

  @usableFromInline
  init(_ base: Base, _ name: String, _ mapTo: @escaping @Sendable (Base.Value) async throws -> Value) {
    self.base = base
    self.mapTo = mapTo
    storageName = name
  }

  @usableFromInline var wrappedStorages: [any StorageDesign] { [base] }

  @inlinable
  func retrieve(forKey key: Base.Key) async throws -> Value {
    try await mapped(base.retrieve(forKey: key), forKey: key, by: mapTo)
  }
}

/// A store whose values are mapped when they are written.
@usableFromInline
struct WriteMappedValues<Base: WritableStorage, Value: Sendable>: WritableStorage {
  @usableFromInline let base: Base
  @usableFromInline let mapFrom: @Sendable (Value) async throws -> Base.Value
  @usableFromInline let storageName: String

  @usableFromInline
  init(_ base: Base, _ name: String, _ mapFrom: @escaping @Sendable (Value) async throws -> Base.Value) {
    self.base = base
    self.mapFrom = mapFrom
    storageName = name
  }

  @usableFromInline var wrappedStorages: [any StorageDesign] { [base] }

  @inlinable
  func set(_ value: Value, forKey key: Base.Key) async throws {
    try await base.set(mapped(value, forKey: key, by: mapFrom), forKey: key)
  }
}
