import Dispatch
import StrataCore

/// The connections for reading, each used by one thread at a time and opened when first needed.
final class ReaderPool: Sendable {
  private let idle = Locked<[Connection]>([])
  private let places = DispatchSemaphore(value: ReaderPool.width)
  private let open: @Sendable () throws -> Connection

  /// Enough to keep every processor reading. A thread that finds no free connection waits, since none is held for long.
  private static let width = max(2 * BlockingPool.activeProcessors, 4)

  init(opening open: @escaping @Sendable () throws -> Connection) { self.open = open }

  /// Runs `body` with a connection that no other caller uses meanwhile.
  func withConnection<R>(_ body: (Connection) throws -> R) throws -> R {
    places.wait()
    defer { places.signal() }
    // The most recently used one, whose pages are still in the processor's caches.
    let connection = try idle.withLock { $0.popLast() } ?? open()
    defer { idle.withLock { $0.append(connection) } }
    return try body(connection)
  }
}
