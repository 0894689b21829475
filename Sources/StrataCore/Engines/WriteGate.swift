/// A lock that lets writers run side by side, or one of them alone.
///
/// Engines put the writes of several threads into their log together, which makes them fast if each waits for the disk.
/// One lock around all writes would end that. Without any, a write that depends on an entry could be overtaken by
/// another.
///
/// A writer takes the lock of one of 32 lanes, that of its key; a writer that must be alone takes all of them.
package final class WriteGate: Sendable {
  /// Whether all writers have to run alone.
  private final class Lane: Sendable { let isClosed = Locked(false) }

  private let lanes = (0..<32).map { _ in Lane() }

  package init() {}

  /// Runs `body` beside others and returns `true`, or returns `false` if all writers have to run alone.
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
