#if os(Linux)
  import CFutex
  public import Synchronization

  /// A lock of four bytes that a running thread can take while others are being woken.
  ///
  /// `Synchronization.Mutex` is a priority-inheriting futex on Linux: its release gives the lock to the first sleeper.
  /// No thread can take it until the kernel has scheduled that one. When threads outnumber processors, each operation
  /// then costs a switch of threads. Here a release frees the lock and wakes one sleeper, and whichever thread is first
  /// takes it. A thread that has waited `LockWaiter.patience` times in vain is owed the lock: from then on, only such
  /// threads can take it.
  ///
  /// Memory orders: everything done with the lock held must be visible to the next thread that holds it. So each change
  /// of the word that takes the lock acquires, and each one that releases it releases. All other changes are relaxed:
  /// they publish nothing. As they are atomic read-modify-write operations, they also leave the release before them in
  /// force for the thread that takes the lock after them. That a sleeper does not miss its wake-up needs no order here:
  /// the kernel compares the word and enqueues the thread in one step, with respect to wake-ups.
  @usableFromInline
  struct FutexLock: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<UInt32>(0)

    @inlinable
    init() {}

    /// Takes the lock, which the thread must not hold.
    @inlinable
    @inline(__always)
    func lock() {
      if !tryLock() { wait() }
    }

    /// Takes the lock if it is free, and returns whether it was.
    @inlinable
    @inline(__always)
    func tryLock() -> Bool {
      word.compareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
        .exchanged
    }

    /// Releases the lock, which the thread must hold.
    @inlinable
    @inline(__always)
    func unlock() {
      let result = word.compareExchange(
        expected: 1, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed)
      if !result.exchanged { release(result.original) }
    }

    @usableFromInline
    @inline(never)
    func wait() {
      var waiter = LockWaiter()
      while true {
        let seen = spin(unless: waiter.isOwed)
        if let taken = seen.taken(by: waiter) {
          let result = word.compareExchange(
            expected: seen.bits, desired: taken.bits, successOrdering: .acquiring, failureOrdering: .relaxed)
          if result.exchanged { return }
          continue
        }
        let awaited = seen.awaited(by: waiter)
        if awaited != seen {
          let result = word.compareExchange(
            expected: seen.bits, desired: awaited.bits, ordering: .relaxed)
          if !result.exchanged { continue }
        }
        waiter.beginsToWait(on: seen)
        withUnsafePointer(to: word) { strata_futex_wait($0, awaited.bits, waiter.sleepers.rawValue) }
      }
    }

    @usableFromInline
    @inline(never)
    func release(_ bits: UInt32) {
      var seen = LockWord(bits: bits)
      while true {
        let (released, wakes) = seen.released
        let result = word.compareExchange(
          expected: seen.bits, desired: released.bits, successOrdering: .releasing, failureOrdering: .relaxed)
        if result.exchanged {
          // The lock may already be destroyed: its address is only a number to the kernel. If another lock has been
          // made there, one of its sleepers wakes for no reason, and sleeps again.
          if let wakes { withUnsafePointer(to: word) { strata_futex_wake($0, wakes.rawValue) } }
          return
        }
        seen = LockWord(bits: result.original)
      }
    }

    /// Waits some microseconds for the lock to become free, as long as nobody sleeps: most locks are held for less time
    /// than it takes to sleep and to be woken.
    private func spin(unless isOwed: Bool) -> LockWord {
      var seen = LockWord(bits: word.load(ordering: .relaxed))
      if isOwed { return seen }
      for _ in 0..<100 where seen == .held {
        strata_pause()
        seen = LockWord(bits: word.load(ordering: .relaxed))
      }
      return seen
    }
  }
#endif
