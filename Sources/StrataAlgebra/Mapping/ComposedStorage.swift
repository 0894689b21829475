public import StrataCore

/// A store that reads one store and writes another.
///
/// ```swift
/// // Reads the replica and writes to the primary.
/// let users = ComposedStorage(readable: replica.readOnly(), writable: primary.writeOnly())
/// ```
///
/// Two halves of one store make up that store again: `ComposedStorage(readable: s.readOnly(), writable: s.writeOnly())`
/// reads and writes as `s` does. Halves that do not share their entries have no further guarantees.
public struct ComposedStorage<Readable: ReadableStorage, Writable: WritableStorage>: ReadWriteStorage
where Readable.Key == Writable.Key, Readable.Value == Writable.Value {
  /// The type of the keys of both stores.
  public typealias Key = Readable.Key
  /// The type of the values of both stores.
  public typealias Value = Readable.Value

  /// The store that is read.
  public let readable: Readable
  /// The store that is written.
  public let writable: Writable

  /// Creates a store from two halves.
  @inlinable
  public init(readable: Readable, writable: Writable) {
    self.readable = readable
    self.writable = writable
  }

  /// The readable half and the writable half.
  public var wrappedStorages: [any StorageDesign] { [readable, writable] }

  /// Returns a value of the readable half.
  @inlinable
  public func retrieve(forKey key: Key) async throws -> Value { try await readable.retrieve(forKey: key) }

  /// Stores a value in the writable half.
  @inlinable
  public func set(_ value: Value, forKey key: Key) async throws {
    try await writable.set(value, forKey: key)
  }
}

extension ComposedStorage: NonFallibleStorage where Readable: NonFallibleStorage {
  /// Returns a value of the readable half, which always has one.
  @inlinable
  public func retrieve(forKey key: Key) async -> Value { await readable.retrieve(forKey: key) }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns a store whose halves two functions create from the halves of this store.
  ///
  /// Use it for a combinator of your own: `readable` transforms the store that is read, `writable` the store that is
  /// written. Both must have the same keys and values.
  ///
  /// ```swift
  /// let dates = texts.transformingStorages(
  ///   readable: { $0.mapValues { try parse($0) } },
  ///   writable: { $0.mapValues { print($0) } })
  /// ```
  @inlinable
  public func transformingStorages<Readable: ReadableStorage, Writable: WritableStorage>(
    readable: (ReadOnlyStorage<Self>) throws -> Readable,
    writable: (WriteOnlyStorage<Self>) throws -> Writable
  ) rethrows -> some ReadWriteStorage<Readable.Key, Readable.Value>
  where Readable.Key == Writable.Key, Readable.Value == Writable.Value {
    try ComposedStorage(readable: readable(ReadOnlyStorage(self)), writable: writable(WriteOnlyStorage(self)))
  }
  /// Returns a store whose halves two functions create. The readable half always has a value, and so does the result.
  @inlinable
  public func transformingStorages<Readable: NonFallibleStorage, Writable: WritableStorage>(
    readable: (ReadOnlyStorage<Self>) throws -> Readable,
    writable: (WriteOnlyStorage<Self>) throws -> Writable
  ) rethrows -> some NonFallibleStorage<Readable.Key, Readable.Value> & ReadWriteStorage<
    Readable.Key, Readable.Value
  >
  where Readable.Key == Writable.Key, Readable.Value == Writable.Value {
    try ComposedStorage(readable: readable(ReadOnlyStorage(self)), writable: writable(WriteOnlyStorage(self)))
  }
}
