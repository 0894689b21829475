import StrataCore
import StrataNetwork
import Synchronization

/// The connections of a client. A call uses the one with the least calls in flight; if all are busy, another connection
/// is opened, up to a limit.
final class Pool: Sendable {
  private struct State {
    var connections: [Connection] = []
    var backoff = Backoff()
    /// The reason why no further connection can be opened, and the time of the next attempt, if one may succeed.
    var failure: (reason: PostgresConnectionError, next: ContinuousClock.Instant?)?
    var isClosed = false
    /// Whether the connections are checked for calls that wait for a lock, as long as there are calls.
    var isWatched = false
  }

  private let config: PostgresConfig
  let preparing: Preparing
  /// The protection from lost writes; `nil` for a pool that carries none.
  let fence: Fence?
  /// Where statements go that wait for a lock; `nil` for a pool whose statements do not hold up others.
  let lockWaits: LockWaits?
  private let isWatched = Atomic(false)
  private let state = Locked(State())
  let reconnections = Reconnections()
  /// For reads and for writes, whether a single call waits for its reply on the caller's thread. Reads and writes take
  /// different times.
  private let ownWaits = Locked([OwnWait(), OwnWait()])

  init(_ config: PostgresConfig, _ preparing: Preparing, _ fence: Fence? = nil, _ lockWaits: LockWaits? = nil)
  {
    self.config = config
    self.preparing = preparing
    self.fence = fence
    self.lockWaits = lockWaits
  }

  /// Returns the connection for the next call. It may still be connecting. Throws while the back-off after a failure
  /// lasts, if there is no connection at all.
  func next() throws(PostgresConnectionError) -> Connection {
    try state.withLock { (state) throws(PostgresConnectionError) in
      if state.isClosed { throw .closed }
      var best: (connection: Connection, load: Int)?
      var isOpening = false
      for connection in state.connections {
        let isReady = connection.isReady
        if !isReady { isOpening = true }
        // A call uses a connection that is still being opened only if no other is ready.
        let load = connection.load + (isReady ? 0 : 1_000_000)
        if load == 0 { return connection }
        if best.map({ load < $0.load }) ?? true { best = (connection, load) }
      }
      let mayOpen = state.connections.count < max(config.connections, 1) && state.failure == nil && !isOpening
      let new = mayOpen ? open(&state) : nil
      if let best { return best.connection }
      if let new { return new }
      throw state.failure?.reason ?? .unreachable("no connection could be opened")
    }
  }

  private func open(_ state: inout State) -> Connection {
    let connection = Connection(
      to: config.address, config, preparing, fence,
      observer: Connection.Observer(
        onReady: { [weak self] _ in self?.becameReady() },
        onEnd: { [weak self] connection, reason, wasReady in self?.ended(connection, reason, wasReady) }))
    state.connections.append(connection)
    return connection
  }

  private func becameReady() {
    state.withLock { $0.backoff.reset() }
    reconnections.ready()
  }

  private func ended(_ connection: Connection, _ reason: PostgresConnectionError, _ wasReady: Bool) {
    if wasReady { reconnections.lost() }
    let next: ContinuousClock.Instant? = state.withLock { state in
      state.connections.removeAll { $0 === connection }
      if wasReady || state.isClosed { return nil }
      var random = SystemRandomNumberGenerator()
      // The first delay is zero and serves connections that were ready. This connection was never ready, so it skips
      // that delay.
      if state.backoff.failures == 0 { _ = state.backoff.delay(using: &random) }
      let next = ContinuousClock.now + state.backoff.delay(using: &random)
      state.failure = (reason, connection.state.withLock { $0.isHopeless } ? nil : next)
      return next
    }
    guard let next else { return }
    EventLoop.shared.schedule(at: next) { [weak self] in
      self?.state.withLock { $0.failure = nil }
    }
  }

  /// Waits until another connection may be opened. Returns `false` if that is later than `deadline`.
  func pause(until deadline: ContinuousClock.Instant) async throws -> Bool {
    guard let failure = state.withLock({ $0.failure }) else { return .now < deadline }
    guard let next = failure.next, next < deadline else { return false }
    try await Task.sleep(until: next)
    return true
  }

  /// Sends a call over a connection. If no other call is in flight, its thread may wait for the result.
  func send(_ call: Call, over connection: Connection) throws(Unsent) {
    let kind = call.statement.query.isRead ? 0 : 1
    let waits =
      connection.isReady && isAlone && !EventLoop.shared.isCurrent && ownWaits.withLock { $0[kind].begin() }
    try connection.add(call)
    if lockWaits != nil, !isWatched.load(ordering: .relaxed) { watch() }
    guard waits else { return }
    let isInTime = connection.waitHere(for: call)
    ownWaits.withLock { $0[kind].end(inTime: isInTime) }
  }

  // MARK: Locks

  /// Starts to check the connections for calls that wait for a lock.
  private func watch() {
    let isNew = state.withLock { state in
      defer { state.isWatched = true }
      isWatched.store(true, ordering: .relaxed)
      return !state.isWatched
    }
    if isNew { LockWaits.schedule { [weak self] in self?.check() } }
  }

  /// Ends the waits of calls that have been at the head of their connection since the last check.
  private func check() {
    let stalled = state.withLock { state in
      state.isWatched = !state.isClosed && state.connections.contains { $0.load > 0 }
      isWatched.store(state.isWatched, ordering: .relaxed)
      return state.isWatched ? state.connections.filter { $0.isStalled() } : nil
    }
    guard let stalled else { return }
    lockWaits?.cancel(stalled)
    LockWaits.schedule { [weak self] in self?.check() }
  }

  /// Whether no call is in flight.
  private var isAlone: Bool { state.withLock { $0.connections.allSatisfy { $0.load == 0 } } }

  /// Ends all connections permanently.
  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      return state.connections
    }
    for connection in connections { connection.close(.closed) }
    lockWaits?.close()
  }
}
