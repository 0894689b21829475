/// A store that is read, with its reads in one line: one at a time, first come first served. Made by `serial()`.
///
/// A task that is cancelled while it waits throws `CancellationError`; a read that has started is finished.
public struct SerialReadOnlyStorage<Base: ReadableStorage>: ReadableStorage {
  /// The keys of the store below.
  public typealias Key = Base.Key
  /// The values of the store below.
  public typealias Value = Base.Value

  private let base: Base
  private let line = SerialLine()

  init(_ base: Base) { self.base = base }

  /// "serial".
  public var storageName: String { "serial" }
  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [base] }

  /// Reads a value when its turn has come.
  public func retrieve(forKey key: Key) async throws -> Value {
    try await line.run { try await base.retrieve(forKey: key) }
  }
}

/// A store that is written, with its writes in one line: one at a time, first come first served. Made by `serial()`.
///
/// A task that is cancelled while it waits throws `CancellationError`; a write that has started is finished.
public struct SerialWriteOnlyStorage<Base: WritableStorage>: WritableStorage {
  /// The keys of the store below.
  public typealias Key = Base.Key
  /// The values of the store below.
  public typealias Value = Base.Value

  private let base: Base
  private let line = SerialLine()

  init(_ base: Base) { self.base = base }

  /// "serial".
  public var storageName: String { "serial" }
  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [base] }

  /// Stores a value when its turn has come.
  public func set(_ value: Value, forKey key: Key) async throws {
    try await line.run { try await base.set(value, forKey: key) }
  }
}
