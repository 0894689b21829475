/// One line for everything: whoever is first has its turn, the others wait, first come first served.
///
/// Threads and tasks stand in the same line, a thread by blocking, a task by suspending. To enter a line that is free and to leave it again
/// costs two short locks and allocates nothing.
///
/// A call from inside an `update` in this line, which could only wait for itself, throws `.deadlock`.
@usableFromInline
package final class SerialLine: Sendable {
  @usableFromInline
  struct State: Sendable {
    /// Nobody waits while the line is free.
    @usableFromInline var isTaken = false
    @usableFromInline var waiting = FIFO<Ticket>()
  }

  @usableFromInline let state = Locked(State())
  /// Stands for whoever has the turn, for those who look for circles of waiting threads.
  @usableFromInline let turn = AnyTurn()

  @usableFromInline
  package init() {}

  /// Runs `body` when its turn has come; suspends the task until then. Throws `CancellationError` if the task is
  /// cancelled while it waits; once `body` has started it is left alone.
  @inlinable
  package func run<R>(_ body: () async throws -> R) async throws -> R {
    if !enter() { try await wait() }
    markTask()
    defer { leave() }
    return try await body()
  }

  /// Runs `body` when its turn has come; blocks the thread until then.
  @inlinable
  package func runBlocking<R>(_ body: () throws -> R) throws -> R {
    if !enter() { try block() }
    defer { leave() }
    return try holding(body)
  }

  /// Marks this thread as the one that runs `body` in the turn.
  @inlinable
  func holding<R>(_ body: () throws -> R) rethrows -> R {
    try ThreadTurns.current.hold(turn, body)
  }

  /// Takes the turn, if the line is free.
  @inlinable
  func enter() -> Bool {
    state.withLock { state in
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
  }

  /// Marks this task as the one that has the turn.
  @usableFromInline
  func markTask() { turn.task.set(.current) }

  /// Ends the turn; whose turn it is now goes on.
  @inlinable
  func leave() {
    unmarkTask()
    let isFree = state.withLock { state in
      if !state.waiting.isEmpty { return false }
      state.isTaken = false
      return true
    }
    if !isFree { callNext() }
  }

  @usableFromInline
  func unmarkTask() { turn.task.set(.none) }

  @usableFromInline
  func callNext() {
    let waker: Ticket.Waker? = state.withLock { state in
      while let next = state.waiting.popFirst() {
        if next.isAbandoned { continue }
        next.hasCome = true
        defer { next.waker = nil }
        return next.waker
      }
      state.isTaken = false
      return nil
    }
    waker?(.success(()))
  }

  @usableFromInline
  func wait() async throws {
    guard let ticket = try lineUp() else { return }
    try await WaitingTasks.waiting(for: ticket, giveUp: { !cameMeanwhile(ticket) }, circle: Self.circle) {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          whenReady(ticket) { continuation.resume(with: $0) }
        }
      } onCancel: {
        abandon(ticket)
      }
    }
  }

  @usableFromInline
  func block() throws {
    guard let ticket = try lineUp() else { return }
    let thread = ThreadTurns.current
    if !thread.held.isEmpty {
      thread.waiting.withLock { $0 = ticket }
      let isBroken = WaitCircle.isBroken(from: ticket, for: .thread(thread)) {
        !cameMeanwhile(ticket)
      } forget: {
        thread.waiting.withLock { $0 = nil }
      }
      if isBroken { throw Self.circle }
    }
    let signal = ThreadSignal()
    whenReady(ticket) { _ in signal.wake() }
    signal.wait()
    thread.waiting.withLock { $0 = nil }
  }

  /// Takes a place at the end of the line; `nil` if that is the turn already.
  private func lineUp() throws -> Ticket? {
    if SerialUpdate.isInside(self) || ThreadTurns.current.held.contains(where: { $0 === turn }) {
      throw Self.nested
    }
    let ticket = Ticket(line: self)
    return state.withLock { state in
      if state.isTaken {
        state.waiting.append(ticket)
        return ticket
      }
      state.isTaken = true
      return nil
    }
  }

  private func whenReady(_ ticket: Ticket, _ wake: @escaping Ticket.Waker) {
    let outcome: Result<Void, any Error>? = state.withLock { _ in
      if ticket.isAbandoned { return .failure(CancellationError()) }
      if ticket.hasCome { return .success(()) }
      ticket.waker = wake
      return nil
    }
    if let outcome { wake(outcome) }
  }

  /// Gives up a place, and wakes who waits in it; does nothing if its turn has come.
  private func abandon(_ ticket: Ticket) {
    let waker: Ticket.Waker? = state.withLock { _ in
      guard !ticket.hasCome else { return nil }
      ticket.isAbandoned = true
      defer { ticket.waker = nil }
      return ticket.waker
    }
    waker?(.failure(CancellationError()))
  }

  /// Gives up a place; returns whether its turn had come before.
  private func cameMeanwhile(_ ticket: Ticket) -> Bool {
    abandon(ticket)
    return !state.withLock { _ in ticket.isAbandoned }
  }

  func isWaiting(_ ticket: Ticket) -> Bool { state.withLock { _ in !ticket.hasCome && !ticket.isAbandoned } }

  private static let nested = StorageError.deadlock.with(
    "a call from inside an `update` of the same serial store: change the value that the closure is given, and call the store before or after; a task that is not waited for belongs in `Task.detached`"
  )
  private static let circle = StorageError.deadlock.with(
    "this operation waits for one that waits for it: call other stores before or after an operation, not from inside it"
  )
}
