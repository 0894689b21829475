import StrataSupport

/// Some threads that take a lock a few times, one atomic operation, call of the kernel or wake-up at a time, in every
/// possible order. The steps are those of `FutexLock`, and the rules for its word are the lock's own.
struct LockModel {
  typealias Word = LockWord

  var threads = 3
  var rounds = 2
  var patience = 1
  // Faulty rules replace these.
  var taken: (Word, LockWaiter) -> Word? = { $0.taken(by: $1) }
  var awaited: (Word, LockWaiter) -> Word = { $0.awaited(by: $1) }
  var released: (Word) -> (word: Word, wakes: LockSleepers?) = { $0.released }

  /// A state of everything. Two states that differ only in the order of the threads are equal.
  struct State: Hashable {
    var word = Word.free
    var threads: [LockThread]
  }

  /// Visits every state; returns their number, or the first fault that it finds.
  func explore() -> Result<Int, LockFault> {
    let first = State(threads: Array(repeating: LockThread(left: rounds, waiter: waiter), count: threads))
    var seen: Set<State> = [first]
    var open = [first]
    while let state = open.popLast() {
      let canMove = state.threads.contains {
        $0.phase == .outside ? $0.left > 0 : $0.phase != .asleep
      }
      if !canMove {
        if state.threads.contains(where: { $0.phase == .asleep }) { return .failure(.sleepsForever) }
        if state.word != .free { return .failure(.isNotFree) }
      }
      for index in state.threads.indices {
        for var next in steps(of: index, in: state) {
          if let fault = fault(in: next, taker: index, before: state) { return .failure(fault) }
          next.threads.sort { $0.order < $1.order }
          if seen.insert(next).inserted { open.append(next) }
        }
      }
    }
    return .success(seen.count)
  }

  private var waiter: LockWaiter { LockWaiter(patience: patience) }

  private func fault(in state: State, taker: Int, before: State) -> LockFault? {
    if state.threads.count(where: { $0.hasLock }) > 1 { return .isHeldTwice }
    let hasTaken = state.threads[taker].hasLock && !before.threads[taker].hasLock
    let waiting = state.threads.indices.filter {
      !state.threads[$0].hasLock && state.threads[$0].waiter.isOwed
    }
    if hasTaken, !waiting.isEmpty, !before.threads[taker].waiter.isOwed { return .wasOwedToAnother }
    return nil
  }

  /// The states after the next step of a thread: several if the kernel has a choice.
  private func steps(of index: Int, in state: State) -> [State] {
    var next = state
    var thread: LockThread {
      get { next.threads[index] }
      set { next.threads[index] = newValue }
    }
    switch thread.phase {
    case .outside:
      if thread.left == 0 { return [] }
      thread.left -= 1
      // The first attempt, which is inlined into the callers.
      thread.phase = state.word == .free ? .inside : .looking
      if state.word == .free { next.word = .held }
    case .looking:
      thread.seen = state.word
      thread.phase = .deciding
    case .deciding:
      let result = taken(thread.seen, thread.waiter)
      let word = result ?? awaited(thread.seen, thread.waiter)
      // A word that stays as it is is not written, and may have changed since.
      if word != thread.seen, state.word != thread.seen {
        thread.phase = .looking
      } else {
        if word != thread.seen { next.word = word }
        if result == nil { thread.waiter.beginsToWait(on: thread.seen) }
        thread.seen = word
        thread.phase = result == nil ? .goingToSleep : .inside
      }
    case .goingToSleep:
      thread.phase = state.word == thread.seen ? .asleep : .looking
    case .asleep:
      // A signal, or a wake-up meant for a lock that was at this address before.
      thread.phase = .looking
    case .inside:
      thread.seen = .held
      thread.waiter = waiter
      thread.phase = .releasing
    case .releasing:
      if state.word != thread.seen {
        thread.seen = state.word
      } else {
        let (word, wakes) = released(thread.seen)
        next.word = word
        thread.phase = wakes.map { $0 == .owed ? .wakingOwed : .wakingOthers } ?? .outside
      }
    case .wakingOwed: return wake(.owed, by: index, in: state)
    case .wakingOthers: return wake(.others, by: index, in: state)
    }
    if thread.phase == .outside || thread.phase == .looking { thread.seen = .free }
    return [next]
  }

  /// Any of the sleepers may be the one: which has slept longest is not part of a state.
  private func wake(_ sleepers: LockSleepers, by index: Int, in state: State) -> [State] {
    var awake = state
    awake.threads[index].phase = .outside
    awake.threads[index].seen = .free
    let asleep = state.threads.indices.filter {
      state.threads[$0].phase == .asleep && state.threads[$0].waiter.sleepers == sleepers
    }
    if asleep.isEmpty { return [awake] }
    return asleep.map { sleeper in
      var next = awake
      next.threads[sleeper].phase = .looking
      next.threads[sleeper].seen = .free
      return next
    }
  }
}

struct LockThread: Hashable {
  enum Phase: Int {
    case outside, looking, deciding, goingToSleep, asleep, inside, releasing, wakingOwed, wakingOthers
  }

  var phase = Phase.outside
  var left: Int
  var waiter: LockWaiter
  /// What it has read of the word, or has written.
  var seen = LockWord.free

  init(left: Int, waiter: LockWaiter) {
    self.left = left
    self.waiter = waiter
  }

  var hasLock: Bool { phase == .inside || phase == .releasing }
  var order: Int {
    ((phase.rawValue << 4 | left) << 8 | waiter.waits << 1 | (waiter.isOwed ? 1 : 0)) << 32 | Int(seen.bits)
  }
}

enum LockFault: Error {
  case isHeldTwice, sleepsForever, isNotFree, wasOwedToAnother
}
