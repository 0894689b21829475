/// A place in an order: it waits, has its turn, and leaves.
///
/// This part of it is what other orders see when they look for a circle of waiting threads and tasks.
@usableFromInline
package class AnyTurn: @unchecked Sendable {
  /// What a turn that has not come waits for, or what runs in a turn that has.
  enum Obstacle {
    case runner(Runner)
    case turn(AnyTurn)
  }

  func obstacles() -> [Obstacle] { [] }

  /// Gives up waiting; returns what is to be called then outside of all locks, or `nil` if the turn has come.
  func giveUp() -> (@Sendable () -> Void)? { nil }
}

/// A place in an order of keys.
///
/// Who touches what of it, and when:
///
/// | from … to | `missing`, `waker`, `runner` | `finding` |
/// |---|---|---|
/// | made … entered | its maker | |
/// | waiting: `missing > 0` | whoever has the lock of the table | the one before it in line, as it leaves, under that lock |
/// | come: `missing == 0` | whoever has the lock | its runner alone |
/// | left, or given up | nobody | |
///
/// A runner takes the lock once when its turn has come, in `hasBegun`: all that was done before, by the one who left
/// and in that one's turn, has happened before what it does then.
///
/// Unchecked, since the table above cannot be.
@usableFromInline
package final class Turn<Key: Hashable & Sendable>: AnyTurn, @unchecked Sendable {
  /// Called once: when the turn has come, or with why it never will.
  @usableFromInline package typealias Waker = @Sendable (Result<Void, any Error>) -> Void

  let order: KeyOrder<Key>
  @usableFromInline let scope: TurnScope<Key>
  /// Whether only reads are done in it.
  let reads: Bool
  /// Who runs in it, as far as that is known.
  private(set) var runner = Runner.nobody
  /// In how many lines it is not yet first; it runs at zero.
  var missing = 0
  /// How to wake the one who waits for it.
  var waker: Waker?
  /// Whether its caller gave up waiting: it has left all lines.
  var isAbandoned = false
  /// What a reader of one key found, for readers that stood in line right behind it.
  @usableFromInline var finding: (any Sendable)?

  init(order: KeyOrder<Key>, scope: TurnScope<Key>, reads: Bool, runner: Runner) {
    self.order = order
    self.scope = scope
    self.reads = reads
    super.init()
    run(by: runner)
  }

  /// Notes who runs in it from now on.
  func run(by runner: Runner) {
    if runner == self.runner { return }
    WaitGraph.pass(from: self.runner, to: runner)
    self.runner = runner
  }

  /// Whether it waits for several lines, and so may hold up others in one line while it waits in another.
  var hasSeveralLines: Bool { if case .key = scope { false } else { true } }

  override func obstacles() -> [Obstacle] { order.obstacles(of: self) }
  override func giveUp() -> (@Sendable () -> Void)? { order.giveUp(self) }
}
