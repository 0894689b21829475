public import StrataCore

/// A store whose operations run one at a time, in the order in which they were called. Created by `serial()`.
///
/// ```swift
/// let texts = disk.mapString().serial()
/// try await texts.update(forKey: "log") { $0 += "\nstarted" }
/// ```
///
/// It can be read if the inner store can, and written if the inner store can. A task that is cancelled while it waits
/// throws `CancellationError`, without affecting other waiters. An operation that has started is finished. A call from
/// inside `update` throws `StorageError.deadlock`.
public struct PlainSerialStorage<Base: StorageDesign>: StorageDesign {
  private let base: Base
  private let line = SerialLine()

  init(_ base: Base) { self.base = base }

  /// The name "serial".
  public var storageName: String { "serial" }
  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [base] }
}

/// A readable store whose reads run one at a time, in the order in which they were called. Created by `serial()`.
///
/// ```swift
/// let downloads = disk.readOnly().serial()   // One read at a time, for example of a slow server.
/// let page = try await downloads.retrieve(forKey: "page")
/// ```
public typealias SerialReadOnlyStorage<Base: ReadableStorage> = PlainSerialStorage<Base>

/// A writable store whose writes run one at a time, in the order in which they were called. Created by `serial()`.
///
/// ```swift
/// let uploads = disk.writeOnly().serial()   // One write at a time, in the order of the calls.
/// try await uploads.set(bytes, forKey: "page")
/// ```
public typealias SerialWriteOnlyStorage<Base: WritableStorage> = PlainSerialStorage<Base>

extension PlainSerialStorage: ReadableStorage where Base: ReadableStorage {
  /// Returns a value, in its turn.
  public func retrieve(forKey key: Base.Key) async throws -> Base.Value {
    try await line.run { try await base.retrieve(forKey: key) }
  }
}

extension PlainSerialStorage: WritableStorage where Base: WritableStorage {
  /// Stores a value, in its turn.
  public func set(_ value: Base.Value, forKey key: Base.Key) async throws {
    try await line.run { try await base.set(value, forKey: key) }
  }
}

extension PlainSerialStorage: ReadWriteStorage, UpdateableStorage
where Base: ReadableStorage & WritableStorage {
  /// Reads, changes and stores a value as one atomic operation. Returns the stored value.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes.
  @discardableResult
  public func update(
    forKey key: Base.Key, _ modify: (inout Base.Value) throws -> Void
  ) async throws -> Base.Value {
    guard let updating = base as? any UpdateableStorage<Base.Key, Base.Value> else {
      return try await change(key) { value in try line.holding { try modify(&value) } }
    }
    return try await line.run {
      try await updating.update(forKey: key) { value in try line.holding { try modify(&value) } }
    }
  }

  /// Updates a value with a closure that may suspend. Until the closure has ended, the operations on all keys wait.
  @discardableResult
  public func update(
    forKey key: Base.Key, _ modify: (inout Base.Value) async throws -> Void
  ) async throws -> Base.Value {
    try await change(key, modify)
  }

  private func change(
    _ key: Base.Key, _ modify: (inout Base.Value) async throws -> Void
  ) async throws -> Base.Value {
    try await line.run {
      var value = try await ReadingToChange.$isActive.binding(true) { try await base.retrieve(forKey: key) }
      try await modify(&value)
      try await base.set(value, forKey: key)
      return value
    }
  }
}
