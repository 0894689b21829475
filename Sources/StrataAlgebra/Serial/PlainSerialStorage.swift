public import StrataCore

/// A store whose operations run one at a time, in the order in which they were called. Created by `serial()`.
///
/// ```swift
/// let texts = disk.mapString().serial()
/// try await texts.update(forKey: "log") { $0 += "\nstarted" }
/// ```
///
/// A task that is cancelled while it waits throws `CancellationError`, without affecting other waiters. An operation
/// that has started is finished. A call from inside `update` throws `StorageError.deadlock`.
public struct PlainSerialStorage<Base: ReadableStorage & WritableStorage>: UpdateableStorage {
  /// The type of the inner store's keys.
  public typealias Key = Base.Key
  /// The type of the inner store's values.
  public typealias Value = Base.Value

  private let base: Base
  private let line = SerialLine()

  init(_ base: Base) { self.base = base }

  /// The name "serial".
  public var storageName: String { "serial" }
  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [base] }

  /// Returns a value, in its turn.
  public func retrieve(forKey key: Key) async throws -> Value {
    try await line.run { try await base.retrieve(forKey: key) }
  }

  /// Stores a value, in its turn.
  public func set(_ value: Value, forKey key: Key) async throws {
    try await line.run { try await base.set(value, forKey: key) }
  }

  /// Reads, changes and stores a value as one atomic operation. Returns the stored value.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await line.run {
      var value = try await readToChange(key)
      try line.holding { try modify(&value) }
      try await base.set(value, forKey: key)
      return value
    }
  }

  /// Updates a value with a closure that may suspend. Until the closure has ended, the operations on all keys wait.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) async throws -> Void) async throws -> Value {
    try await line.run {
      var value = try await readToChange(key)
      try await modify(&value)
      try await base.set(value, forKey: key)
      return value
    }
  }

  private func readToChange(_ key: Key) async throws -> Value {
    try await ReadingToChange.$isActive.binding(true) { try await base.retrieve(forKey: key) }
  }
}
