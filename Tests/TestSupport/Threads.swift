import Dispatch
import Foundation
import StrataCore
package import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Returns a number that identifies the current thread.
package func thisThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// Runs `body`, which may block, on a new thread.
package func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// Runs `body` on a new thread, and blocks the current one until `body` has ended.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

/// Suspends until other tasks or threads fulfil a condition. After a minute, records a failure and continues.
package func until(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
  let end = ContinuousClock.now + .seconds(60)
  var looks = 0
  while !condition() {
    if ContinuousClock.now > end {
      Issue.record("the awaited condition was not met in a minute", sourceLocation: sourceLocation)
      return
    }
    looks += 1
    // Pauses grow, so that frequent checks do not take processor time from the threads that must fulfil the condition.
    if looks < 100 { await Task.yield() } else { await pause() }
  }
}

/// Blocks the thread until other threads fulfil a condition. After a minute, records a failure and continues.
package func blockUntil(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  let end = ContinuousClock.now + .seconds(60)
  while !condition() {
    if ContinuousClock.now > end {
      Issue.record("the awaited condition was not met in a minute", sourceLocation: sourceLocation)
      return
    }
    Thread.sleep(forTimeInterval: 0.0001)
  }
}

private func pause() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
  }
}

/// A gate at which one thread waits until the test opens it.
package final class ThreadGate: Sendable {
  private let arrived = Locked(false)
  private let opened = DispatchSemaphore(value: 0)

  package init() {}

  /// Blocks the thread until the gate is opened. After a minute, records a failure and continues.
  package func pass() {
    arrived.withLock { $0 = true }
    if opened.wait(timeout: .now() + 60) == .timedOut {
      Issue.record("nobody opened the gate at which a thread waited for a minute")
    }
  }

  /// Waits until a thread has arrived.
  package func arrival() async { await until { arrived.withLock { $0 } } }

  /// Lets the thread continue.
  package func open() { opened.signal() }
}
