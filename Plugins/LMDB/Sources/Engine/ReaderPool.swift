#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import Synchronization

/// The place of one reader at a time, with a read transaction that is kept from one read to the next.
struct ReaderSlot: ~Copyable {
  enum State {
    static let free = 0
    static let taken = 1
    static let closed = 2
  }

  let state = Atomic(State.free)
  /// The thread that runs its own code inside this read; 0 if none does.
  let guest = Atomic<UInt>(0)
  /// Only touched by whoever has taken the slot.
  var transaction: OpaquePointer?
  // To the end of two cache lines, which processors fetch together: no slot slows its neighbour.
  private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )
  private let more: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
}

/// The readers of an environment in this process, and the gate that lets nobody read while the map moves.
///
/// A reader takes a slot, which is one atomic exchange on memory that its thread used before. Whoever moves the map
/// takes all slots: so the gate costs an ordinary read nothing.
///
/// Unchecked: the slots live as long as the pool, their atomics are safe to share, and `transaction` is only touched
/// between the exchange that takes a slot and the store that frees it.
final class ReaderPool: @unchecked Sendable {
  typealias Slot = UnsafeMutablePointer<ReaderSlot>

  /// How many threads of this process can be inside a read at once; further ones wait.
  static let capacity = 128
  /// Threads begin to look in one of so many slots, so that a process rarely uses more of LMDB's table.
  private static let starts: UInt = 16

  private let slots: Slot
  /// How many reads run the code of callers. While there are none, no write has to look for its own thread in the
  /// slots.
  private let guests = Atomic(0)

  init() {
    slots = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (slots + index).initialize(to: ReaderSlot()) }
  }

  deinit {
    for index in 0..<Self.capacity { (slots + index).deinitialize(count: 1) }
    slots.deallocate()
  }

  /// A slot for this thread; waits while all are taken.
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

  /// A slot whose transaction has its place in LMDB's table already; `nil` if no slot has.
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

  /// Runs `body` while nobody reads, and closes the pool for good if it throws.
  ///
  /// Waits for the reads that run. New ones wait meanwhile, but not for long at a time: if a read does not end, they go
  /// first, and it is tried again with more patience. So a reader that waits for another reader gets on. For one caller
  /// at a time.
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

  /// Ends all transactions. For when nobody reads any more.
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

  /// Whether this thread is inside the code of a caller that runs inside a read.
  ///
  /// Relaxed is enough: a thread always sees what it has stored itself.
  var isGuest: Bool {
    if guests.load(ordering: .relaxed) == 0 { return false }
    let me = threadIdentity()
    return (0..<Self.capacity).contains { (slots + $0).pointee.guest.load(ordering: .relaxed) == me }
  }

  /// Takes the slots from the first on, and returns how many it got in time.
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

  /// Threads' identities are addresses, alike in their low bits: a multiplication spreads them.
  @inline(__always)
  private static func start(of thread: UInt) -> Int {
    let mixed = UInt64(thread) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 32) & Int(starts - 1)
  }
}
