import StrataCore
import StrataNetwork
import Synchronization

/// Writes whose outcome is unknown, and the protection of later writes from them.
///
/// A lost connection may leave writes that a proxy, the network or the server's process executes later. Before one of
/// their keys is written again, the client makes the server end the process of that connection, and waits until it has
/// ended: the server then executes nothing more from it. Processes are found by the names that their connections have
/// in `application_name`, which a pooler forwards.
final class Fence: Sendable {
  private struct State {
    /// The unanswered writes of each lost connection, by the connection's name.
    var lost: [String: Set<Statement.Scope>] = [:]
    var waiting: [Pending<Void>] = []
  }

  /// The pool of the statements that end processes. It carries no writes.
  private let control: Pool
  private let timeout: Duration
  private let state = Locked(State())
  /// Whether `lost` is empty, for callers that do not hold the lock.
  private let isClear = Atomic(true)

  init(_ control: Pool, _ timeout: Duration) { (self.control, self.timeout) = (control, timeout) }

  /// Records a connection that has ended with unanswered writes, before these fail.
  func lost(_ name: String, _ calls: [Call]) {
    let scopes = Set(calls.map(\.statement.scope)).subtracting([.nothing])
    if scopes.isEmpty { return }
    let isFirst = state.withLock { state in
      state.lost[name] = scopes
      isClear.store(false, ordering: .releasing)
      return state.lost.count == 1
    }
    if isFirst { Task.detached { [self] in await endLost() } }
  }

  /// Waits until no lost write can overwrite a statement. Throws if that takes longer than until `deadline`.
  ///
  /// An atomic flag, since every write reads it. Its memory order guarantees that a task sees its own lost writes.
  func wait(for statement: Statement, by deadline: ContinuousClock.Instant) async throws {
    if isClear.load(ordering: .acquiring) { return }
    while true {
      let waiter = Pending<Void>(deadline: deadline)
      let mustWait = state.withLock { state in
        guard state.lost.values.contains(where: statement.scope.meets) else { return false }
        state.waiting.append(waiter)
        return true
      }
      if !mustWait { return }
      try await waiter.wait(
        orThrow: StorageError.backendFailed.with(
          "an earlier write, whose outcome is unknown, may still be executed, since its connection, "
            + "known by its application_name, was not seen to end within \(timeout); nothing was sent: try again later",
          cause: PostgresConnectionError.timedOut))
    }
  }

  /// Ends the processes of lost connections, until none is left or the client is closed.
  private func endLost() async {
    var pause = Duration.milliseconds(1)
    while true {
      let names = state.withLock { Array($0.lost.keys) }
      var ended: [String] = []
      do {
        let rows = try await control.run(
          Statement(Self.end) { $0.append(arrayOf: names.map { Array($0.utf8) }) }, by: .now + timeout)
        let left = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        // A pooler that does not forward the name of this connection forwards no other: its processes were not found.
        if left.contains(Connection.commonName) { ended = names.filter { !left.contains($0) } }
      } catch PostgresConnectionError.closed {
        ended = names
      } catch {
        // The server cannot be asked now, or refuses: the writes of these keys wait.
      }
      if forget(ended) { return }
      pause = ended.isEmpty ? min(pause * 2, .seconds(1)) : .milliseconds(1)
      // Nobody cancels this task.
      try? await Task.sleep(for: pause)
    }
  }

  /// Returns whether no lost connection is left.
  private func forget(_ names: [String]) -> Bool {
    let (isClear, waiting) = state.withLock { state in
      for name in names { state.lost[name] = nil }
      self.isClear.store(state.lost.isEmpty, ordering: .releasing)
      // Those that wait for other keys wait again.
      defer { state.waiting = names.isEmpty ? state.waiting.filter { !$0.isFinished } : [] }
      return (state.lost.isEmpty, names.isEmpty ? [] : state.waiting)
    }
    for waiter in waiting { waiter.finish(.success(())) }
    return isClear
  }

  /// Ends processes, and returns the names of those that still run, and of this one. The function is not in the
  /// condition, where the server might call it first.
  private static let end = Query(
    "SELECT current_setting('application_name'), true UNION ALL "
      + "SELECT application_name::text, pg_terminate_backend(pid) FROM pg_stat_activity WHERE convert_to(application_name, 'UTF8') = ANY($1)",
    [.arrayOfBytes], isRead: true)
}

extension Statement {
  /// The rows that a statement may change.
  enum Scope: Hashable {
    case nothing
    case row([UInt8])
    case any

    /// Whether two statements, one of these and this one, may change the same row.
    func meets(_ others: Set<Scope>) -> Bool {
      switch self {
      case .nothing: false
      case .row: others.contains(self) || others.contains(.any)
      case .any: !others.isEmpty
      }
    }
  }

  /// The rows that the statement may change, by its first parameter: a key, several keys, or the limit of a page.
  var scope: Scope {
    if query.isRead { return .nothing }
    return switch query.types.first.flatMap(Parameters.Kind.init) {
    case nil, .text, .transaction: .nothing
    case .bytes: .row(parameters.first)
    case .integer, .date, .arrayOfBytes: .any
    }
  }
}
