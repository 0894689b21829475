/// The word of a `FutexLock`, and the rules by which it changes. `LockModelTests` explores them exhaustively.
///
/// | bits | meaning |
/// |---|---|
/// | 0 | a thread holds the lock |
/// | 1 | threads may sleep; the next release wakes one |
/// | 2… | the number of threads that are owed the lock: no other thread may take it |
package struct LockWord: Hashable, Sendable {
  package var bits: UInt32

  package init(bits: UInt32) { self.bits = bits }

  static var heldBit: UInt32 { 1 }
  static var sleepersBit: UInt32 { 2 }
  static var owedUnit: UInt32 { 4 }

  /// Nobody holds the lock, waits for it or is owed it.
  package static var free: LockWord { LockWord(bits: 0) }
  /// A thread holds the lock, and no other waits.
  package static var held: LockWord { LockWord(bits: heldBit) }

  package var isHeld: Bool { bits & Self.heldBit != 0 }
  package var isOwed: Bool { bits >= Self.owedUnit }

  /// The word after `waiter` has taken the lock, or `nil` if it may not.
  package func taken(by waiter: LockWaiter) -> LockWord? {
    if isHeld || (isOwed && !waiter.isOwed) { return nil }
    var next = bits | Self.heldBit
    // The release that woke this thread has cleared the bit, but others may still sleep.
    if waiter.hasWaited { next |= Self.sleepersBit }
    if waiter.isOwed { next -= Self.owedUnit }
    return LockWord(bits: next)
  }

  /// The word after `waiter` has recorded that it is about to sleep.
  package func awaited(by waiter: LockWaiter) -> LockWord {
    var next = bits | Self.sleepersBit
    if makesOwed(waiter) { next += Self.owedUnit }
    return LockWord(bits: next)
  }

  /// Whether `waiter` is owed the lock once it has recorded that it sleeps.
  ///
  /// Never while the lock is free: the release that freed it has already woken the thread that may take it, and no
  /// later one would wake this thread if that one went to sleep on the changed word.
  package func makesOwed(_ waiter: LockWaiter) -> Bool { isHeld && waiter.isPatient && !waiter.isOwed }

  /// The word after the thread that holds the lock has released it, and which sleeper it must wake, if any.
  package var released: (word: LockWord, wakes: LockSleepers?) {
    // Only a thread that is owed the lock may take it: waking another one would be in vain.
    if isOwed { return (LockWord(bits: bits & ~Self.heldBit), .owed) }
    return (.free, bits & Self.sleepersBit != 0 ? .others : nil)
  }
}

/// The two kinds of sleeping threads: masks of a futex.
package enum LockSleepers: UInt32, Sendable {
  case others = 1
  case owed = 2
}

/// What a thread that waits for a `FutexLock` knows of itself.
package struct LockWaiter: Hashable, Sendable {
  /// How often a thread waits in vain before it is owed the lock.
  package static var patience: Int { 16 }

  /// How often it has waited, at most `patience`.
  package private(set) var waits = 0
  /// Whether it is counted in the word.
  package private(set) var isOwed = false

  private let patience: Int

  package init(patience: Int = Self.patience) { self.patience = patience }

  package var hasWaited: Bool { waits > 0 }
  package var isPatient: Bool { waits == patience }
  package var sleepers: LockSleepers { isOwed ? .owed : .others }

  /// Records that `word` has become what its `awaited` returned.
  package mutating func beginsToWait(on word: LockWord) {
    if word.makesOwed(self) { isOwed = true }
    if !isPatient { waits += 1 }
  }
}
