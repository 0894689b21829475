import Dispatch
import Foundation
import StrataCore

/// Runs `body` on a thread of its own, which it may block.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// Suspends until something that other tasks or threads bring about.
func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

/// Where one thread waits until the test lets it go on.
final class ThreadGate: Sendable {
  private let arrived = Locked(false)
  private let opened = DispatchSemaphore(value: 0)

  /// Blocks the thread until the gate is opened.
  func pass() {
    arrived.withLock { $0 = true }
    opened.wait()
  }

  /// Waits until a thread has come.
  func arrival() async { await until { arrived.withLock { $0 } } }

  /// Lets the thread go on.
  func open() { opened.signal() }
}
