public import StrataCore

/// The readable half of a store. It is never a `WritableStorage`.
///
/// ```swift
/// let catalogue = texts.readOnly()
/// let title = try await catalogue.retrieve(forKey: "title")
/// // catalogue.set("…", forKey: "title")   does not compile
/// ```
public struct ReadOnlyStorage<Base: ReadableStorage>: ReadableStorage {
  /// The type of the store's keys.
  public typealias Key = Base.Key
  /// The type of the store's values.
  public typealias Value = Base.Value

  @usableFromInline let base: Base

  @inlinable
  init(_ base: Base) { self.base = base }

  /// The name `readOnly`.
  public var storageName: String { "readOnly" }
  /// The whole store.
  public var wrappedStorages: [any StorageDesign] { [base] }

  /// Returns a value of the store.
  @inlinable
  public func retrieve(forKey key: Key) async throws -> Value { try await base.retrieve(forKey: key) }
}

extension ReadableStorage {
  /// Returns the readable half of this store. A cast with `as?` does not recover the writable half.
  ///
  /// ```swift
  /// let catalogue = disk.mapString().readOnly()
  /// ```
  @inlinable
  public func readOnly() -> some ReadableStorage<Key, Value> { ReadOnlyStorage(self) }
}
