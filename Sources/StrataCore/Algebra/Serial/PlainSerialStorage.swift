/// A store with its operations in one line: one at a time, first come first served. Made by `serial()`.
///
/// A task that is cancelled while it waits throws `CancellationError`, and the others keep their places; an operation
/// that has started is finished. A call from inside `update` throws `StorageError.deadlock`.
public struct PlainSerialStorage<Base: ReadableStorage & WritableStorage>: UpdateableStorage {
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

  /// Stores a value when its turn has come.
  public func set(_ value: Value, forKey key: Key) async throws {
    try await line.run { try await base.set(value, forKey: key) }
  }

  /// Reads a value, changes it and stores it, as one operation, and returns what it stored.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await line.run {
      var value = try await base.readToChange(forKey: key)
      try line.holding { try modify(&value) }
      try await base.set(value, forKey: key)
      return value
    }
  }

  /// The same with a closure that may suspend. The store waits for it meanwhile, whatever the key.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) async throws -> Void) async throws -> Value {
    try await line.run {
      var value = try await base.readToChange(forKey: key)
      try await modify(&value)
      try await base.set(value, forKey: key)
      return value
    }
  }
}
