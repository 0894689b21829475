public import StrataCore

/// A store whose keys are mapped to keys of its inner store, but not back.
///
/// It can be read if the inner store can, and written if the inner store can.
@usableFromInline
struct OneWayMappedKeys<Base: StorageDesign, BaseKey, Key: Sendable, Value: Sendable>: StorageDesign {
  @usableFromInline let base: Base
  @usableFromInline let mapping: @Sendable (Key) throws -> BaseKey
  @usableFromInline let storageName: String

  @usableFromInline
  init(_ base: Base, _ name: String, _ mapping: @escaping @Sendable (Key) throws -> BaseKey) {
    self.base = base
    self.mapping = mapping
    storageName = name
  }

  @usableFromInline var wrappedStorages: [any StorageDesign] { [base] }
}

extension OneWayMappedKeys: ReadableStorage
where Base: ReadableStorage, Base.Key == BaseKey, Base.Value == Value {
  @inlinable
  func retrieve(forKey key: Key) async throws -> Value {
    try await base.retrieve(forKey: mapped(key, forKey: key, by: mapping))
  }
}

extension OneWayMappedKeys: WritableStorage
where Base: WritableStorage, Base.Key == BaseKey, Base.Value == Value {
  @inlinable
  func set(_ value: Value, forKey key: Key) async throws {
    try await base.set(value, forKey: mapped(key, forKey: key, by: mapping))
  }
}

extension OneWayMappedKeys: ReadWriteStorage
where Base: ReadableStorage & WritableStorage, Base.Key == BaseKey, Base.Value == Value {}
