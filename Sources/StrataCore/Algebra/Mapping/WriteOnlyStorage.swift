/// The writing half of a store. It is no `ReadableStorage`, whatever the store is.
public struct WriteOnlyStorage<Base: WritableStorage>: WritableStorage {
  /// The keys of the store.
  public typealias Key = Base.Key
  /// The values of the store.
  public typealias Value = Base.Value

  @usableFromInline let base: Base

  @inlinable
  init(_ base: Base) { self.base = base }

  /// `writeOnly`.
  public var storageName: String { "writeOnly" }
  /// The store.
  public var wrappedStorages: [any StorageDesign] { [base] }

  /// Writes to the store.
  @inlinable
  public func set(_ value: Value, forKey key: Key) async throws { try await base.set(value, forKey: key) }
}

extension WritableStorage {
  /// This store without its reading half, which `as?` does not find either.
  @inlinable
  public func writeOnly() -> some WritableStorage<Key, Value> { WriteOnlyStorage(self) }
}
