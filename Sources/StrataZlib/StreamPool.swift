import StrataCore

/// A pool of idle zlib streams: resetting a stream costs a third of creating one.
///
/// As many streams are created as threads need at the same time; up to eight idle ones are kept.
final class StreamPool: Sendable {
  private let direction: ZlibDirection
  private let resting = Locked<[ZlibStream]>([])

  init(_ direction: ZlibDirection) { self.direction = direction }

  /// The number of idle streams.
  var restingCount: Int { resting.withLock(\.count) }

  /// Runs `body` with a stream that no other caller uses meanwhile.
  func withStream<R>(_ body: (ZlibStream) throws -> R) throws -> R {
    let stream = try resting.withLock { $0.popLast() } ?? ZlibStream(direction)
    defer {
      if stream.reset() {
        resting.withLock { resting in
          if resting.count < 8 { resting.append(stream) }
        }
      }
    }
    return try body(stream)
  }
}
