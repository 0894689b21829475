/// A store with work that must end before the program does, or with connections that must be closed.
///
/// `StorageMaintenance` calls its functions when a program ends. `LoadingStorage`, `ReplayingStorage` and the stores of
/// servers conform to it; a store of your own may.
///
/// ```swift
/// struct Mailbox: StorageLifecycle {
///   let outbox: Outbox
///   var unfinishedOperations: Int { outbox.count }
///   func finish() async throws { try await outbox.sendAll() }
///   func close() { outbox.disconnect() }
/// }
/// ```
public protocol StorageLifecycle: StorageDesign {
  /// The number of operations that no caller waits for, or that a caller expects to be done: loads in flight, pending
  /// writes. By default 0.
  var unfinishedOperations: Int { get }
  /// Waits until the operations that are unfinished now have ended. Throws an error if any of them cannot be done, or
  /// if the task is cancelled. By default does nothing.
  func finish() async throws
  /// Closes connections. Later calls of the store throw. May be called several times. By default does nothing.
  func close()
}

extension StorageLifecycle {
  /// No operations.
  public var unfinishedOperations: Int { 0 }
  /// Does nothing.
  public func finish() async throws {}
  /// Does nothing.
  public func close() {}
}
