import StrataCore

/// Streams that rest between two calls: to reset one costs a third of making it anew.
///
/// As many streams are made as threads ask at the same time; eight of them are kept.
final class StreamPool: Sendable {
  private let direction: ZlibDirection
  private let resting = Locked<[ZlibStream]>([])

  init(_ direction: ZlibDirection) { self.direction = direction }

  /// How many streams wait for work.
  var restingCount: Int { resting.withLock(\.count) }

  /// Runs `body` with a stream that nobody else has meanwhile.
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
