/// The keys that an operation needs exclusively.
@usableFromInline
package enum TurnScope<Key: Hashable & Sendable>: Sendable {
  case key(Key)
  /// Several keys, each once.
  case keys(Set<Key>)
  case everything

  @inlinable
  package init(_ keys: some Sequence<Key>) { self = .keys(Set(keys)) }

  @inlinable
  func overlaps(_ other: TurnScope) -> Bool {
    switch (self, other) {
    case (.everything, _), (_, .everything): true
    case (.key(let a), .key(let b)): a == b
    case (.key(let key), .keys(let keys)), (.keys(let keys), .key(let key)): keys.contains(key)
    case (.keys(let a), .keys(let b)): !a.isDisjoint(with: b)
    }
  }
}

/// A thread or task that has a turn or waits for one.
///
/// A child task is a runner of its own. `OngoingOperation` and `WaitGraph` record the operations that it is part of.
@usableFromInline
package struct Runner: Hashable, Sendable {
  /// Zero means no runner. The last bit is set for a task, and not for a thread.
  @usableFromInline let value: UInt

  @inlinable
  init(value: UInt) { self.value = value }

  @inlinable
  init(_ thread: ThreadTurns) { self.init(value: UInt(bitPattern: thread.record)) }

  /// Whether it is a thread, which needs no other thread to continue.
  var isThread: Bool { value != 0 && value & 1 == 0 }

  @inlinable
  static var nobody: Runner { Runner(value: 0) }

  /// The current task, or `nobody` on a thread without one.
  @usableFromInline
  package static var currentTask: Runner {
    withUnsafeCurrentTask { $0.map { Runner(value: UInt(bitPattern: $0.hashValue) | 1) } ?? .nobody }
  }
}

/// One operation's place in the queues of a `KeyOrder`: it waits, runs, and leaves.
///
/// The threads that may access its properties, by state:
///
/// | state | `missing`, `waker`, `runner` | `finding` |
/// |---|---|---|
/// | created, not entered | its creator | |
/// | waiting: `missing > 0` | any thread with the table's lock | the preceding turn as it leaves, with that lock |
/// | come: `missing == 0` | any thread with that lock | only its runner |
/// | left, or cancelled | none | |
///
/// A runner takes the lock once when its turn has come, in `hasBegun`. Everything done in the preceding turn has
/// therefore happened before everything that the runner does.
///
/// Unchecked, since the compiler cannot check these rules.
@usableFromInline
package final class Turn<Key: Hashable & Sendable>: @unchecked Sendable {
  /// A closure that is called once: with success when the turn has come, or with the reason why it never will.
  @usableFromInline package typealias Waker = @Sendable (Result<Void, any Error>) -> Void

  let order: KeyOrder<Key>
  @usableFromInline let scope: TurnScope<Key>
  /// Whether the turn only reads.
  let reads: Bool
  /// The thread or task that runs the turn; `nobody` while it is unknown.
  private(set) var runner = Runner.nobody
  /// The number of queues in which the turn is not yet first. It has come when this is zero.
  var missing = 0
  /// The closure that wakes its waiter.
  var waker: Waker?
  /// The keys of a turn that is in no queue, because the fast path has taken them.
  let taken: Taken?
  /// Whether waiting was cancelled: the turn has left all queues.
  var isAbandoned = false
  /// The result of the read directly before this one in the queue of a key, then of this read.
  @usableFromInline var finding: (any Sendable)?

  enum Taken {
    case key(Key, hash: Int)
    case batch(KeyBatch<Key>)
  }

  init(
    order: KeyOrder<Key>, scope: TurnScope<Key>, reads: Bool = false, runner: Runner = .nobody,
    taken: Taken? = nil
  ) {
    self.order = order
    self.scope = scope
    self.reads = reads
    self.taken = taken
    run(by: runner)
  }

  /// Changes the runner, also in `WaitGraph`.
  func run(by runner: Runner) {
    if runner == self.runner { return }
    WaitGraph.pass(from: self.runner, to: runner)
    self.runner = runner
  }
}

// MARK: Shared reads

// No write happens between two reads of one key that are adjacent in its queue. So the second read would have the
// result of the first, whether a value, nothing or a failure, and takes it. Only the failure of a cancelled task is not
// shared.
//
// The caller can refuse an outdated result: `isOutdated` decides when the turn has come. The read then runs in that
// same turn, and the next read receives the new result. In a turn of its own, behind other reads, it would see a newer
// state than the result that these reads pass on, and reads behind them would return the older state afterwards.

extension Turn {
  /// Returns the result of the preceding read, if there is one of this type and it is not outdated.
  @inlinable
  func finding<R: Sendable>(unless isOutdated: (R) -> Bool) -> Result<R, any Error>? {
    guard let found = finding as? Result<R, any Error> else { return nil }
    if case .success(let value) = found, isOutdated(value) { return nil }
    return found
  }

  /// Keeps a result for the next read in the queue, and returns it.
  @inlinable
  func note<R: Sendable>(_ found: Result<R, any Error>) -> Result<R, any Error> {
    if let shared = found.forOtherReads { finding = shared }
    return found
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// The result that other reads may use: `nil` for the failure of a cancelled task.
  @inlinable
  var forOtherReads: (any Sendable)? {
    if case .failure = self, Task.isCancelled { nil } else { self }
  }
}
