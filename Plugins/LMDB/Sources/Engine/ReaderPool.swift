#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import Synchronization

/// A slot for one reader at a time, with a read transaction that is kept from one read to the next.
struct ReaderSlot: ~Copyable {
  enum State {
    static let free = 0
    static let taken = 1
    static let closed = 2
  }

  let state = Atomic(State.free)
  /// The thread that runs a caller's code inside this read; 0 if none does.
  let guest = Atomic<UInt>(0)
  /// Used only by the reader that has taken the slot.
  var transaction: OpaquePointer?
  // Padding to two cache lines, which processors fetch together: neighbouring slots do not slow each other down.
  private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )
  private let more: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
}

/// The readers of an environment in this process, with the means to exclude all of them while the map moves.
///
/// A reader takes a slot by one atomic exchange, on memory that its thread used before. Moving the map takes all slots,
/// so the exclusion costs an ordinary read nothing.
///
/// Unchecked: the slots live as long as the pool, and their atomics are safe to share. `transaction` is used only
/// between the exchange that takes a slot and the store that frees it.
final class ReaderPool: @unchecked Sendable {
  typealias Slot = UnsafeMutablePointer<ReaderSlot>

  /// The maximum number of concurrent reads in this process; further ones wait.
  static let capacity = 128
  /// The number of slots where threads begin to search, so that a process rarely uses more entries of LMDB's reader
  /// table.
  private static let starts: UInt = 16

  private let slots: Slot
  /// The number of reads that run callers' code. At zero, a write need not search the slots for its own thread.
  private let guests = Atomic(0)

  init() {
    slots = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (slots + index).initialize(to: ReaderSlot()) }
  }

  deinit {
    for index in 0..<Self.capacity { (slots + index).deinitialize(count: 1) }
    slots.deallocate()
  }

  /// Returns a slot for this thread. Waits while all are taken.
  @inline(__always)
  func take() throws(LMDBError) -> Slot {
    let first = Self.start(of: threadIdentity())
    let slot = slots + first
    if Self.tryTake(slot) { return slot }
    return try takeAnother(than: first)
  }

  @inline(never)
  private func takeAnother(than first: Int) throws(LMDBError) -> Slot {
    while true {
      for step in 1...Self.capacity {
        let slot = slots + (first + step) % Self.capacity
        if Self.tryTake(slot) { return slot }
      }
      if slots.pointee.state.load(ordering: .relaxed) == ReaderSlot.State.closed {
        throw LMDBError(MDB_PANIC)
      }
      sched_yield()
    }
  }

  /// Returns a slot whose transaction already has an entry in LMDB's reader table, or `nil` if no slot has.
  func takeEquipped() -> Slot? {
    while true {
      var isSomeoneElses = false
      for index in 0..<Self.capacity {
        let slot = slots + index
        guard Self.tryTake(slot) else {
          isSomeoneElses = true
          continue
        }
        if slot.pointee.transaction != nil { return slot }
        giveBack(slot)
      }
      if !isSomeoneElses { return nil }
      sched_yield()
    }
  }

  @inline(__always)
  func giveBack(_ slot: Slot) { slot.pointee.state.store(ReaderSlot.State.free, ordering: .releasing) }

  /// Runs `body` while no reads run, and closes the pool for good if it throws.
  ///
  /// Waits for running reads, with new ones waiting too, but only for a limited time. If a read has not ended by then,
  /// the new ones run first, and the attempt is repeated with a longer time limit. So a read that waits for another
  /// read still makes progress. For one caller at a time.
  func alone(_ body: () throws -> Void) throws {
    var patience = Duration.milliseconds(1)
    while true {
      let taken = takeAll(within: patience)
      if taken == Self.capacity { break }
      free(taken)
      sched_yield()
      patience = min(patience * 2, .milliseconds(128))
    }
    do {
      try body()
      free(Self.capacity)
    } catch {
      for index in 0..<Self.capacity {
        (slots + index).pointee.state.store(ReaderSlot.State.closed, ordering: .releasing)
      }
      throw error
    }
  }

  /// Ends all transactions. Call it when there are no more reads.
  func end() {
    for index in 0..<Self.capacity {
      if let transaction = (slots + index).pointee.transaction { mdb_txn_abort(transaction) }
      (slots + index).pointee.transaction = nil
    }
  }

  /// Runs a caller's code inside the read that has this slot.
  func withGuest<R>(in slot: Slot, _ body: () throws -> R) rethrows -> R {
    guests.wrappingAdd(1, ordering: .relaxed)
    slot.pointee.guest.store(threadIdentity(), ordering: .relaxed)
    defer {
      slot.pointee.guest.store(0, ordering: .relaxed)
      guests.wrappingSubtract(1, ordering: .relaxed)
    }
    return try body()
  }

  /// Whether this thread runs a caller's code inside a read.
  ///
  /// Relaxed ordering suffices: a thread always sees its own stores.
  var isGuest: Bool {
    if guests.load(ordering: .relaxed) == 0 { return false }
    let me = threadIdentity()
    return (0..<Self.capacity).contains { (slots + $0).pointee.guest.load(ordering: .relaxed) == me }
  }

  /// Takes slots in order, and returns how many it got within the time limit.
  private func takeAll(within patience: Duration) -> Int {
    let deadline = ContinuousClock.now + patience
    for index in 0..<Self.capacity {
      while !Self.tryTake(slots + index) {
        if ContinuousClock.now > deadline { return index }
        sched_yield()
      }
    }
    return Self.capacity
  }

  private func free(_ count: Int) {
    for index in 0..<count { giveBack(slots + index) }
  }

  @inline(__always)
  private static func tryTake(_ slot: Slot) -> Bool {
    slot.pointee.state.load(ordering: .relaxed) == ReaderSlot.State.free
      && slot.pointee.state.compareExchange(
        expected: ReaderSlot.State.free, desired: ReaderSlot.State.taken, ordering: .acquiring
      ).exchanged
  }

  /// Thread identities are addresses with similar low bits; the multiplication spreads them.
  @inline(__always)
  private static func start(of thread: UInt) -> Int {
    let mixed = UInt64(thread) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 32) & Int(starts - 1)
  }
}
