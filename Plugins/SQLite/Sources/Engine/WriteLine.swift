import StrataCore

/// The writers' queue of a file, shared by all stores of this process that have the file open: one of them writes at a
/// time.
///
/// SQLite would order them too, but by sleeping and polling.
final class WriteLine: Sendable {
  /// Held while a store of this process has a write transaction, or waits for another process to end its own.
  let writing = Locked(())
  /// Per-row ordering of the running updates.
  let updates = KeyOrder<TableKey>()

  private static let lines = SharedEngines<WriteLine> { _ in }

  /// Returns the queue of a file, given the path that SQLite resolved.
  static func of(_ path: String) throws -> EngineLease<WriteLine> { try lines.lease(path) { WriteLine() } }
}
