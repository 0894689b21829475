import Dispatch
import StrataCore

/// The connections that read, each with one thread at a time. They open when they are first needed.
final class ReaderPool: Sendable {
  private let idle = Locked<[Connection]>([])
  private let places = DispatchSemaphore(value: ReaderPool.width)
  private let open: @Sendable () throws -> Connection

  /// Enough to keep every processor reading; a thread that comes when all are taken waits, since they are never taken
  /// for long.
  private static let width = max(2 * BlockingPool.activeProcessors, 4)

  init(opening open: @escaping @Sendable () throws -> Connection) { self.open = open }

  /// Runs `body` with a connection that nobody else has meanwhile.
  func withConnection<R>(_ body: (Connection) throws -> R) throws -> R {
    places.wait()
    defer { places.signal() }
    // The one used last, whose pages are still in the processor's caches.
    let connection = try idle.withLock { $0.popLast() } ?? open()
    defer { idle.withLock { $0.append(connection) } }
    return try body(connection)
  }
}
