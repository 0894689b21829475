import StrataCore
import StrataNetwork

/// A statement that a task waits for.
///
/// If the task is cancelled, a read fails at once, and a write only if it has not been sent: otherwise its task waits
/// for the result, which shows whether the write was executed.
final class Call: Waiting {
  private enum Stage { case queued, sent, cancelled }

  let statement: Statement
  let deadline: ContinuousClock.Instant
  private let state = Locked(WaitingState<Rows>.idle)
  private let stage = Locked(Stage.queued)

  init(_ statement: Statement, deadline: ContinuousClock.Instant) {
    self.statement = statement
    self.deadline = deadline
  }

  func withState<R: Sendable>(_ body: (inout WaitingState<Rows>) -> R) -> R { state.withLock(body) }

  /// Marks the call as sent. Returns `false` if no task waits for it any more: it must not be sent then.
  func begin() -> Bool {
    if isFinished { return false }
    return stage.withLock { stage in
      if stage == .cancelled { return false }
      stage = .sent
      return true
    }
  }

  func cancel() {
    let isOver = stage.withLock { stage in
      if stage == .queued { stage = .cancelled }
      return stage == .cancelled
    }
    if isOver || statement.query.isRead { finish(.failure(CancellationError())) }
  }
}

/// The error of a call that was not executed, since an earlier call could not prepare its statement.
struct Unprepared: Error {}

/// The error of a call that was not executed, since the table was altered so that the result of the prepared statement
/// has other types (0A000). The server refuses the statement until it is prepared again.
struct OutdatedPlan: Error { let name: String }

/// The error of a call that was not sent, and can be sent over another connection.
struct Unsent: Error { let reason: PostgresConnectionError }
