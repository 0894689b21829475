/// One operation's place in an order: it waits, has its turn, and leaves.
///
/// What changes is guarded by the lock of the order it belongs to. The class is generic in `Turn` below; this part
/// is what other orders need to see when they look for a circle of waiting threads.
@usableFromInline
package class AnyTurn: @unchecked Sendable {
  /// The thread that runs user code in this turn, as far as it is known: written before the code starts and read to
  /// find circles, under `runner`'s own lock.
  @usableFromInline let runner = Locked<ThreadTurns?>(nil)
  /// The task that has this turn, if a task waited for it.
  let task = TurnTask()

  /// The turns this one waits for, if it waits.
  func ahead() -> [AnyTurn] { [] }
}

@usableFromInline
package final class Turn<Key: Hashable & Sendable>: AnyTurn, @unchecked Sendable {
  /// Called once: when the turn has come, or with why it never will.
  @usableFromInline package typealias Waker = @Sendable (Result<Void, any Error>) -> Void

  @usableFromInline let order: KeyOrder<Key>
  @usableFromInline let scope: TurnScope<Key>
  /// Whether only reads are done in it.
  @usableFromInline let reads: Bool
  /// In how many lines it is not yet first; it runs at zero.
  @usableFromInline var missing = 0
  /// How to wake who waits for it.
  @usableFromInline var waker: Waker?
  /// Whether its caller gave up waiting: it leaves as soon as its turn comes.
  @usableFromInline var isAbandoned = false
  /// What a reader of one key found, for readers that stood in line right behind it.
  @usableFromInline var finding: (any Sendable)?

  @usableFromInline
  init(order: KeyOrder<Key>, scope: TurnScope<Key>, reads: Bool) {
    self.order = order
    self.scope = scope
    self.reads = reads
  }

  override func ahead() -> [AnyTurn] { order.ahead(of: self) }
}
