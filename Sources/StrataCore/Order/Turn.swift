/// One operation's place in the queues of an order: it waits, runs, and leaves.
///
/// This base class is the part that other orders use to find cycles of waiting threads and tasks.
@usableFromInline
package class AnyTurn: @unchecked Sendable {
  /// A turn that another turn waits for, or the runner of a turn that has come.
  enum Obstacle {
    case runner(Runner)
    case turn(AnyTurn)
  }

  func obstacles() -> [Obstacle] { [] }

  /// Cancels waiting. Returns a closure to call outside of all locks, or `nil` if the turn has come.
  func giveUp() -> (@Sendable () -> Void)? { nil }
}

/// One operation's place in the queues of a `KeyOrder`.
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
package final class Turn<Key: Hashable & Sendable>: AnyTurn, @unchecked Sendable {
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
  /// The result of a read of one key, for reads that are directly behind it in the queue.
  @usableFromInline var finding: (any Sendable)?

  enum Taken {
    case key(Key, hash: Int)
    case batch(KeyBatch<Key>)
  }

  init(order: KeyOrder<Key>, scope: TurnScope<Key>, reads: Bool, runner: Runner, taken: Taken? = nil) {
    self.order = order
    self.scope = scope
    self.reads = reads
    self.taken = taken
    super.init()
    run(by: runner)
  }

  /// Changes the runner, also in `WaitGraph`.
  func run(by runner: Runner) {
    if runner == self.runner { return }
    WaitGraph.pass(from: self.runner, to: runner)
    self.runner = runner
  }

  /// Whether the turn has several queues, and so may delay turns in one queue while it waits in another.
  var hasSeveralLines: Bool { if case .key = scope { false } else { true } }

  override func obstacles() -> [Obstacle] { order.obstacles(of: self) }
  override func giveUp() -> (@Sendable () -> Void)? { order.giveUp(self) }
}
