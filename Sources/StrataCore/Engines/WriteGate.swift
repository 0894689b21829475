/// A lock that lets writers run concurrently, or one of them alone.
///
/// Engines group concurrent writes into one write of their log, which makes them fast if each waits for the disk. One
/// lock around all writes would prevent that. Without a lock, another write could come between a write and the entry
/// that it depends on.
///
/// A writer locks one of 32 lanes, chosen by its key. A writer that must run alone locks all of them.
package final class WriteGate: Sendable {
  /// Whether all writers have to run alone.
  private final class Lane: Sendable { let isClosed = Locked(false) }

  private let lanes = (0..<32).map { _ in Lane() }

  package init() {}

  /// Runs `body` concurrently with other writers, and returns `true`. Returns `false` if all writers must run alone.
  package func beside(_ key: UnsafeRawBufferPointer, _ body: () throws -> Void) throws -> Bool {
    var hash = key.count
    for byte in key.suffix(8) { hash = hash &* 31 &+ Int(byte) }
    return try lanes[hash & 31].isClosed.withLock { isClosed in
      if isClosed { return false }
      try body()
      return true
    }
  }

  /// Runs `body` while no other writer writes. `closing` makes all writers run alone from then on.
  package func alone<R: Sendable>(closing: Bool = false, _ body: () throws -> R) rethrows -> R {
    try alone(from: 0, closing, body)
  }

  private func alone<R: Sendable>(from index: Int, _ closing: Bool, _ body: () throws -> R) rethrows -> R {
    if index == lanes.count { return try body() }
    return try lanes[index].isClosed.withLock { isClosed in
      if closing { isClosed = true }
      return try alone(from: index + 1, closing, body)
    }
  }
}
