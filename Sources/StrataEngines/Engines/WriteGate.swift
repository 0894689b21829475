/// A lock that lets writers run concurrently, or one of them alone.
///
/// Engines group concurrent writes into one write of their log, which makes them fast if each waits for the disk. One
/// lock around all writes would prevent that. Without a lock, another write could come between a write and the entry
/// that it depends on.
///
/// A writer locks one of 32 lanes, chosen by its key. A writer that must run alone locks all of them.
package final class WriteGate: Sendable {
  /// Whether all writers have to run alone.
  private let isClosed = Lanes(count: 32) { false }

  package init() {}

  /// Runs `body` concurrently with other writers, and returns `true`. Returns `false` if all writers must run alone.
  package func beside(_ key: UnsafeRawBufferPointer, _ body: () throws -> Void) throws -> Bool {
    var hash = key.count
    for byte in key.suffix(8) { hash = hash &* 31 &+ Int(byte) }
    return try isClosed.with(hash) { isClosed in
      if isClosed { return false }
      try body()
      return true
    }
  }

  /// Runs `body` while no other writer writes. `closing` makes all writers run alone from then on.
  package func alone<R: Sendable>(closing: Bool = false, _ body: () throws -> R) rethrows -> R {
    try isClosed.alone({ if closing { $0 = true } }, body)
  }
}
