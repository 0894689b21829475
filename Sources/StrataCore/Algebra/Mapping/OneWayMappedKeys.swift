/// A store with other keys, each of which leads to one of its own; there is no way back.
///
/// It reads if the store reads, and writes if the store writes.
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
