import Dispatch
import Foundation
import StrataSupport
import Synchronization
import TestSupport
import Testing

@Suite(.endsInTime) struct LockedTests {
  /// A value that several threads share.
  private final class Shared: Sendable {
    let value = Locked([0, 0])
    let left = Locked(0)
  }

  @Test("no increment is lost, whichever way the threads take the lock")
  func excludes() {
    let shared = Shared()
    let rounds = Soak.rounds(20_000, soak: 2_000_000)
    run(threads: 8) { thread in
      var left = rounds
      while left > 0 {
        // Two fields, which are equal whenever no thread holds the lock.
        let areEqual: Bool?
        if (left + thread).isMultiple(of: 3) {
          areEqual = shared.value.withLockIfAvailable { increase(&$0) }
        } else {
          areEqual = shared.value.withLock { increase(&$0) }
        }
        if let areEqual {
          #expect(areEqual)
          left -= 1
        }
      }
    }
    #expect(shared.value.withLock { $0 } == [8 * rounds, 8 * rounds])
  }

  @Test("a thread that rarely needs the lock gets it, however often others take it")
  func isFair() {
    let shared = Shared()
    let isDone = Atomic(false)
    run(threads: 8) { thread in
      if thread == 0 {
        for _ in 0..<500 { shared.left.withLock { $0 += 1 } }
        isDone.store(true, ordering: .relaxed)
      } else {
        while !isDone.load(ordering: .relaxed) { shared.left.withLock { $0 += 1 } }
      }
    }
  }

  @Test("the lock is free again after an error")
  func throwing() {
    let shared = Shared()
    #expect(throws: CancellationError.self) { try shared.value.withLock { _ in throw CancellationError() } }
    #expect(throws: CancellationError.self) {
      try shared.value.withLockIfAvailable { _ in throw CancellationError() }
    }
    #expect(shared.value.withLockIfAvailable { $0 } == [0, 0])
  }

  @Test("a lock that is held is not available")
  func isHeld() {
    let shared = Shared()
    shared.value.withLock { _ in
      onAnotherThread { #expect(shared.value.withLockIfAvailable { _ in true } == nil) }
    }
  }

  #if os(Linux) && !STRATA_PTHREAD_LOCK
    @Test("a lock takes four bytes, and is destroyed with its value")
    func size() {
      #expect(MemoryLayout<Locked<Int32>>.size == 8)
      final class Value: Sendable {}
      weak var value: Value?
      do {
        let lock = Locked(Value())
        value = lock.withLock { $0 }
        #expect(value != nil)
      }
      #expect(value == nil)
    }

    @Test("threads that share a lock seldom sleep, though there are more than processors")
    func barges() {
      let shared = Shared()
      let rounds = 30_000
      let sleeps = Locked(0)
      run(threads: 8) { _ in
        let before = voluntarySwitches()
        for _ in 0..<rounds { shared.value.withLock { _ = increase(&$0) } }
        let switches = voluntarySwitches() - before
        sleeps.withLock { $0 += switches }
      }
      // A lock that is handed to the first sleeper makes about one thread sleep for each operation.
      #expect(sleeps.withLock { $0 } < 8 * rounds / 20)
    }

    /// How often this thread has waited so far. The constant 1 is `RUSAGE_THREAD`, which Swift's module of the C
    /// library lacks.
    private func voluntarySwitches() -> Int {
      var usage = rusage()
      getrusage(1, &usage)
      return usage.ru_nvcsw
    }
  #endif

  private func increase(_ values: inout [Int]) -> Bool {
    values[0] += 1
    values[1] += 1
    return values[0] == values[1]
  }

  /// Runs `body` on threads that begin together, and returns when all have ended.
  private func run(threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let start = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    for thread in 0..<threads {
      Thread.detachNewThread {
        start.wait()
        body(thread)
        end.signal()
      }
    }
    for _ in 0..<threads { start.signal() }
    for _ in 0..<threads { end.wait() }
  }
}
