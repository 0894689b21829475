public import StrataCore

/// The writable half of a store. It is never a `ReadableStorage`.
///
/// ```swift
/// let log = texts.writeOnly()
/// try await log.set("started", forKey: "12:00")
/// // log.retrieve(forKey: "12:00")   does not compile
/// ```
public struct WriteOnlyStorage<Base: WritableStorage>: WritableStorage {
  /// The type of the store's keys.
  public typealias Key = Base.Key
  /// The type of the store's values.
  public typealias Value = Base.Value

  @usableFromInline let base: Base

  @inlinable
  init(_ base: Base) { self.base = base }

  /// The name `writeOnly`.
  public var storageName: String { "writeOnly" }
  /// The whole store.
  public var wrappedStorages: [any StorageDesign] { [base] }

  /// Stores a value in the store.
  @inlinable
  public func set(_ value: Value, forKey key: Key) async throws { try await base.set(value, forKey: key) }
}

extension WritableStorage {
  /// Returns the writable half of this store. A cast with `as?` does not recover the readable half.
  @inlinable
  public func writeOnly() -> some WritableStorage<Key, Value> { WriteOnlyStorage(self) }
}
