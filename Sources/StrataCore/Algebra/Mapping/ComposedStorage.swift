/// A store made of two: one that is read, one that is written.
///
/// The two halves of a store make up that store again:
/// `ComposedStorage(readable: s.readOnly(), writable: s.writeOnly())` reads and writes as `s` does. Nothing is promised
/// of halves that do not share what they store.
public struct ComposedStorage<Readable: ReadableStorage, Writable: WritableStorage>: ReadWriteStorage
where Readable.Key == Writable.Key, Readable.Value == Writable.Value {
  /// The keys of both.
  public typealias Key = Readable.Key
  /// The values of both.
  public typealias Value = Readable.Value

  /// The store that is read.
  public let readable: Readable
  /// The store that is written.
  public let writable: Writable

  /// Puts two halves together.
  @inlinable
  public init(readable: Readable, writable: Writable) {
    self.readable = readable
    self.writable = writable
  }

  /// The two halves, the one that is read first.
  public var wrappedStorages: [any StorageDesign] { [readable, writable] }

  /// Reads from the one half.
  @inlinable
  public func retrieve(forKey key: Key) async throws -> Value { try await readable.retrieve(forKey: key) }

  /// Writes to the other half.
  @inlinable
  public func set(_ value: Value, forKey key: Key) async throws {
    try await writable.set(value, forKey: key)
  }
}

extension ComposedStorage: NonFallibleStorage where Readable: NonFallibleStorage {
  /// Reads from the one half, which always has a value.
  @inlinable
  public func retrieve(forKey key: Key) async -> Value { await readable.retrieve(forKey: key) }
}

extension ReadableStorage where Self: WritableStorage {
  /// The store whose halves are made of this store's halves by two functions.
  ///
  /// The way to a combinator of your own: say what it does to a store that is read and to one that is written. They
  /// must agree on keys and values.
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
  /// The same where the half that is read always has a value: so has the store.
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
