import StrataCore
import StrataNetwork
import Synchronization

/// Statements that wait for a lock of another program, on connections of their own.
///
/// On a shared connection such a statement would hold up the calls behind it. The client lets the server cancel it
/// there, so that it has changed nothing, and sends it again over a connection that it has alone. Later statements on
/// the same row then go the same way at once.
final class LockWaits: Sendable {
  private struct State {
    /// Pools of one connection each, none of which is in use.
    var free: [Pool]
    var waiting = FIFO<Pending<Pool>>()
    /// The number of statements for each row.
    var rows: [Statement.Scope: Int] = [:]
  }

  /// How long a call may stand at the head of a connection before the client asks the server whether it waits.
  private static let patience = Duration.milliseconds(100)

  private let control: Pool
  private let lanes: [Pool]
  private let timeout: Duration
  private let state: Locked<State>
  /// Whether `rows` is empty, for callers that do not hold the lock.
  private let isEmpty = Atomic(true)
  private let isAsking = Locked(false)

  init(_ control: Pool, lanes: [Pool], _ timeout: Duration) {
    (self.control, self.lanes, self.timeout) = (control, lanes, timeout)
    state = Locked(State(free: lanes))
  }

  /// Whether a statement on the same row waits here.
  func hold(_ statement: Statement) -> Bool {
    if isEmpty.load(ordering: .acquiring) { return false }
    return state.withLock { $0.rows[statement.scope] != nil }
  }

  /// Executes a statement over a connection that carries nothing else meanwhile.
  func run(_ statement: Statement, by deadline: ContinuousClock.Instant) async throws -> Rows {
    count(1, statement.scope)
    defer { count(-1, statement.scope) }
    let lane = try await borrow(until: deadline)
    defer { giveBack(lane) }
    return try await lane.run(statement, by: deadline)
  }

  private func count(_ change: Int, _ scope: Statement.Scope) {
    guard case .row = scope else { return }
    state.withLock { state in
      let number = state.rows[scope, default: 0] + change
      state.rows[scope] = number > 0 ? number : nil
      isEmpty.store(state.rows.isEmpty, ordering: .releasing)
    }
  }

  private func borrow(until deadline: ContinuousClock.Instant) async throws -> Pool {
    let waiter = Pending<Pool>(deadline: deadline)
    let free = state.withLock { state in
      let lane = state.free.popLast()
      if lane == nil { state.waiting.append(waiter) }
      return lane
    }
    if let free { return free }
    return try await waiter.wait(
      orThrow: StorageError.backendFailed.with(
        "other programs lock too many rows, for longer than \(timeout); nothing was sent: try again later",
        cause: PostgresConnectionError.timedOut))
  }

  private func giveBack(_ lane: Pool) {
    while true {
      let next = state.withLock { state in
        let next = state.waiting.popFirst()
        if next == nil { state.free.append(lane) }
        return next
      }
      // A caller whose time is over takes no lane.
      guard let next, !next.finish(.success(lane)) else { return }
    }
  }

  func close() {
    for lane in lanes { lane.close() }
  }

  // MARK: Finding statements that wait

  /// Calls `find` after the time in which most calls end.
  static func schedule(_ find: @escaping @Sendable () -> Void) {
    EventLoop.shared.schedule(at: .now + patience, find)
  }

  /// Lets the server cancel the statements of these connections that wait for a lock.
  func cancel(_ connections: [Connection]) {
    if connections.isEmpty { return }
    let isFirst = isAsking.withLock { isAsking in
      defer { isAsking = true }
      return !isAsking
    }
    if !isFirst { return }
    for connection in connections { connection.expectCancelling() }
    Task.detached { [self] in
      let names = connections.map { Array($0.name.utf8) }
      // Further statements in the same pipelines may wait for the same lock. If the server cannot be asked now, the
      // next check tries again.
      while let rows = try? await control.run(
        Statement(Self.cancel) { $0.append(arrayOf: names) }, by: .now + timeout), rows.count > 0
      {
        try? await Task.sleep(for: .milliseconds(1))
      }
      isAsking.withLock { $0 = false }
    }
  }

  private static let cancel = Query(
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE convert_to(application_name, 'UTF8') = ANY($1) "
      + "AND wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple', 'relation')",
    [.arrayOfBytes], isRead: true)
}

/// The error of a call that was cancelled while it waited for a lock, and has changed nothing.
struct WaitsForLock: Error {}
