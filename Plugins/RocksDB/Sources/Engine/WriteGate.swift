import StrataCore

/// Lets writers of single entries go side by side, and now and then somebody go alone.
///
/// RocksDB puts the writes of several threads into its log together, which is what makes them fast when each waits for the disk. One lock
/// around all writes would end that; without any, whoever looks at an entry in order to remove it might remove a newer one.
///
/// A writer takes the lock of one lane, that of its key, and whoever must be alone takes them all.
final class WriteGate: Sendable {
  /// Whether writers have to go alone, whatever they write.
  private final class Lane: Sendable { let isClosed = Locked(false) }

  private let lanes = (0..<32).map { _ in Lane() }

  /// Runs `body` beside others, or returns `false` if writers have to go alone.
  func beside(_ key: UnsafeRawBufferPointer, _ body: () throws -> Void) throws -> Bool {
    var hash = key.count
    for byte in key.suffix(8) { hash = hash &* 31 &+ Int(byte) }
    return try lanes[hash & 31].isClosed.withLock { isClosed in
      if isClosed { return false }
      try body()
      return true
    }
  }

  /// Runs `body` while no writer writes; one that closes makes all writers go alone from then on.
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
