import StrataCore

/// Where the stores of this process that share a file meet: one of them writes at a time.
///
/// SQLite would sort them out too, but by sleeping and asking again.
final class WriteLine: Sendable {
  /// Held while a store of this process has a write transaction, or waits for another process to end its own.
  let writing = Locked(())
  /// The updates that run, each with its row to itself.
  let updates = KeyOrder<TableKey>()

  private static let lines = SharedEngines<WriteLine> { _ in }

  /// The line of a file, by the path that SQLite resolved.
  static func of(_ path: String) throws -> EngineLease<WriteLine> { try lines.lease(path) { WriteLine() } }
}
