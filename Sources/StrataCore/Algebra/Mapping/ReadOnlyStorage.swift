/// The reading half of a store. It is no `WritableStorage`, whatever the store is.
public struct ReadOnlyStorage<Base: ReadableStorage>: ReadableStorage {
  /// The keys of the store.
  public typealias Key = Base.Key
  /// The values of the store.
  public typealias Value = Base.Value

  @usableFromInline let base: Base

  @inlinable
  init(_ base: Base) { self.base = base }

  /// `readOnly`.
  public var storageName: String { "readOnly" }
  /// The store.
  public var wrappedStorages: [any StorageDesign] { [base] }

  /// Reads from the store.
  @inlinable
  public func retrieve(forKey key: Key) async throws -> Value { try await base.retrieve(forKey: key) }
}

extension ReadableStorage {
  /// This store without its writing half, which `as?` does not find either.
  ///
  /// ```swift
  /// let catalogue = disk.mapString().readOnly()
  /// ```
  @inlinable
  public func readOnly() -> some ReadableStorage<Key, Value> { ReadOnlyStorage(self) }
}
