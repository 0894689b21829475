public import StrataCore

/// A readable store whose reads run one at a time, in the order in which they were called. Created by `serial()`.
///
/// ```swift
/// let downloads = disk.readOnly().serial()   // One read at a time, for example of a slow server.
/// let page = try await downloads.retrieve(forKey: "page")
/// ```
///
/// A task that is cancelled while it waits throws `CancellationError`. A read that has started is finished.
public struct SerialReadOnlyStorage<Base: ReadableStorage>: ReadableStorage {
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
}

/// A writable store whose writes run one at a time, in the order in which they were called. Created by `serial()`.
///
/// ```swift
/// let uploads = disk.writeOnly().serial()   // One write at a time, in the order of the calls.
/// try await uploads.set(bytes, forKey: "page")
/// ```
///
/// A task that is cancelled while it waits throws `CancellationError`. A write that has started is finished.
public struct SerialWriteOnlyStorage<Base: WritableStorage>: WritableStorage {
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

  /// Stores a value, in its turn.
  public func set(_ value: Value, forKey key: Key) async throws {
    try await line.run { try await base.set(value, forKey: key) }
  }
}
