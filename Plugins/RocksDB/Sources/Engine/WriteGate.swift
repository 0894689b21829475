import StrataCore

/// A lock that lets writers of single entries run side by side, and others run alone.
///
/// RocksDB groups the writes of several threads in its log, which makes them fast when each waits for the disk. One
/// lock around all writes would prevent that. Without any lock, a caller that checks an entry and then removes it might
/// remove a newer one.
///
/// A writer takes the lock of one lane, chosen by its key; a caller that must be alone takes all of them.
final class WriteGate: Sendable {
  /// Holds `true` if all writers must run alone.
  private final class Lane: Sendable { let isClosed = Locked(false) }

  private let lanes = (0..<32).map { _ in Lane() }

  /// Runs `body` beside other writers, or returns `false` if writers must run alone.
  func beside(_ key: UnsafeRawBufferPointer, _ body: () throws -> Void) throws -> Bool {
    var hash = key.count
    for byte in key.suffix(8) { hash = hash &* 31 &+ Int(byte) }
    return try lanes[hash & 31].isClosed.withLock { isClosed in
      if isClosed { return false }
      try body()
      return true
    }
  }

  /// Runs `body` while no other writer runs. With `closing`, all writers must run alone from then on.
  func alone<R: Sendable>(closing: Bool = false, _ body: () throws -> R) rethrows -> R {
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
