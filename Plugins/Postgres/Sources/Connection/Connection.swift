import StrataCore
import StrataNetwork
import Synchronization

/// A connection to a server in libpq's pipeline mode: calls are sent without waiting for the results of earlier ones.
/// Each call is a separate transaction.
///
/// Calls may be added on any thread, which sends them itself. Everything else runs on the loop's thread.
final class Connection: LoopClient {
  /// Callbacks to the owner of a connection, on the loop's thread.
  struct Observer: Sendable {
    /// Called when the connection is ready, before any result.
    var onReady: @Sendable (Connection) -> Void = { _ in }
    /// Called once when the connection ends, before any call fails because of it. The last argument is `true` if it was
    /// ready.
    var onEnd: @Sendable (Connection, PostgresConnectionError, _ wasReady: Bool) -> Void = { _, _, _ in }
    /// Called with a notification of the server.
    var onNotice: @Sendable (_ channel: String, _ payload: String) -> Void = { _, _ in }
  }

  enum Phase { case connecting, ready, closed }

  /// A call that was sent.
  struct Flight: Sendable {
    let call: Call
    /// The name of the prepared statement that is executed, if it is one.
    var name: String?
    /// The name of the statement that is prepared first, if any.
    var prepares: String?
    /// Whether the preparation of the statement has succeeded.
    var isPrepared = false
    /// Whether the statement was not executed because an earlier call in flight could not prepare it.
    var isUnprepared = false
    var result: Rows?
    var failure: PostgresServerError?
  }

  struct State: Sendable {
    var wire: Wire?
    var phase = Phase.connecting
    var token: PollToken?
    /// Calls that are added before the connection is ready.
    var waiting = FIFO<Call>()
    var flights = FIFO<Flight>()
    /// The call whose results are being received.
    var head: Flight?
    /// The names of the statements that are prepared, and whether the server has confirmed it.
    var prepared: [String: Bool] = [:]
    var isWatchedForWriting = false
    /// Whether another attempt to connect would fail for the same reason.
    var isHopeless = false
    /// The oldest call in flight at the last check for calls that wait for a lock.
    var oldest: Call?
    /// Whether the client has asked the server to cancel statements that wait for a lock.
    var isCancelled = false
    /// The time of the next check of deadlines.
    var check: ContinuousClock.Instant?

    /// The calls that were sent and have no complete results.
    var sent: [Call] { [head].compactMap { $0?.call } + flights.all.map(\.call) }
  }

  let address: PostgresAddress
  let config: PostgresConfig
  let observer: Observer
  let loop = EventLoop.shared
  /// Whether statements are prepared; shared by all connections of a client.
  let preparing: Preparing
  /// Records lost writes; `nil` for a connection without writes to a store.
  private let fence: Fence?
  /// The name of the connection at the server, its `application_name`. It is unique if there is a fence.
  let name: String
  /// The name of connections without a fence.
  static let commonName = "strata"
  let state = Locked(State())
  private let calls = Atomic(0)
  private let readiness = Atomic(false)

  /// Creates a connection and starts to connect. It lives until it ends or is closed.
  init(
    to address: PostgresAddress, _ config: PostgresConfig, _ preparing: Preparing, _ fence: Fence? = nil,
    observer: Observer
  ) {
    self.address = address
    self.config = config
    self.preparing = preparing
    self.observer = observer
    self.fence = fence
    name = fence == nil ? Self.commonName : "strata \(UInt64.random(in: .min ... .max))"
    open()
  }

  /// The number of calls that have not finished.
  var load: Int { calls.load(ordering: .relaxed) }

  func count(_ change: Int) { calls.add(change, ordering: .relaxed) }

  /// Whether calls are sent at once.
  var isReady: Bool { readiness.load(ordering: .relaxed) }

  func setReady(_ isReady: Bool) { readiness.store(isReady, ordering: .relaxed) }

  var phase: Phase { state.withLock { $0.phase } }

  /// Sends a call, or queues it until the connection is ready. Throws if it has ended; nothing was sent then.
  func add(_ call: Call) throws(Unsent) {
    enum Outcome { case added, isOver, failed }
    let outcome: Outcome = state.withLock { state in
      switch state.phase {
      case .closed: return .isOver
      case .connecting:
        count(1)
        state.waiting.append(call)
      case .ready:
        count(1)
        if !send(call, &state) { return .failed }
      }
      setTimer(call.deadline, &state)
      return .added
    }
    switch outcome {
    case .added: break
    case .isOver: throw Unsent(reason: .lost("it has ended"))
    // The call is already counted as in flight: closing the connection fails it.
    case .failed: close(.lost("the statement could not be sent"))
    }
  }

  /// Whether the oldest call in flight is the same as at the last call of this function.
  func isStalled() -> Bool {
    state.withLock { state in
      let call = state.head?.call ?? state.flights.first?.call
      defer { state.oldest = call }
      return call != nil && call === state.oldest
    }
  }

  /// Called before the server is asked to cancel statements of this connection. From now on a cancelled call fails with
  /// `WaitsForLock`.
  func expectCancelling() { state.withLock { $0.isCancelled = true } }

  /// Ends the connection. Waiting calls fail.
  func close(_ reason: PostgresConnectionError) {
    loop.execute { [self] in end(reason) }
  }

  func flush() {}

  /// Ends the connection, on the loop's thread. The calls in `late` fail because their time is over.
  func end(_ reason: PostgresConnectionError, late: [Call] = []) {
    let (old, wasReady) = state.withLock { state in
      let old = state
      state.wire = nil
      state.phase = .closed
      state.waiting = FIFO()
      state.flights = FIFO()
      state.head = nil
      return (old, old.phase == .ready)
    }
    if old.phase == .closed { return }
    setReady(false)
    if let token = old.token { loop.remove(token) }
    let sent = old.sent
    fence?.lost(name, sent)
    observer.onEnd(self, reason, wasReady)
    for call in late { call.finish(.failure(PostgresConnectionError.timedOut)) }
    for call in sent { call.finish(.failure(reason)) }
    for call in old.waiting.all { call.finish(.failure(Unsent(reason: reason))) }
  }

  // MARK: Deadlines

  /// Schedules a check of all deadlines for a time, unless an earlier check is scheduled.
  private func setTimer(_ time: ContinuousClock.Instant, _ state: inout State) {
    if let check = state.check, check <= time { return }
    state.check = time
    loop.schedule(at: time) { [weak self] in self?.checkDeadlines(time) }
  }

  private func checkDeadlines(_ time: ContinuousClock.Instant) {
    let now = ContinuousClock.now
    let (late, unsent, cancel) = state.withLock { state -> ([Call], [Call], (@Sendable () -> Void)?) in
      // A call with an earlier deadline was added meanwhile, and has set another timer.
      guard state.check == time else { return ([], [], nil) }
      state.check = nil
      let (sent, waiting) = (state.sent, Array(state.waiting.all))
      let late = sent.filter { $0.deadline <= now }
      if let next = (sent + waiting).lazy.map(\.deadline).filter({ $0 > now }).min() {
        setTimer(next, &state)
      }
      // A write that is late must not be executed here after a later one over another connection.
      let isStuck = sent.enumerated().contains { place, call in
        call.deadline <= now && (place == 0 || !call.statement.query.isRead)
      }
      return (late, waiting.filter { $0.deadline <= now }, isStuck ? state.wire?.canceller() : nil)
    }
    for call in unsent {
      let reason = PostgresConnectionError.unreachable("it did not answer within \(config.timeout)")
      call.finish(.failure(reason))
    }
    guard let cancel else {
      for call in late { call.finish(.failure(PostgresConnectionError.timedOut)) }
      return
    }
    // A statement that still runs cannot be distinguished from a connection that hangs. A new connection helps in both
    // cases.
    Self.cancellers.submit(cancel)
    end(.lost("the server did not answer within \(config.timeout)"), late: late)
  }

  /// Threads for cancelling statements, for which libpq has only a blocking call.
  private static let cancellers = BlockingPool(width: 2)
}

/// Whether a client's statements are prepared. Turned off if a pooler does not support it.
final class Preparing: Sendable {
  private let isWanted: Atomic<Bool>
  /// How often statements were given other names, by their first names.
  private let renewals = Locked<[String: Int]>([:])
  private let hasRenewals = Atomic(false)

  init(_ isOn: Bool) { isWanted = Atomic(isOn) }

  var isOn: Bool { isWanted.load(ordering: .relaxed) }

  func turnOff() { isWanted.store(false, ordering: .relaxed) }

  /// Returns the name under which a query is prepared, or `nil` if it is not.
  func name(of query: Query) -> String? {
    if !isOn { return nil }
    if !hasRenewals.load(ordering: .relaxed) { return query.name }
    return renewals.withLock { Self.name(query, $0) }
  }

  /// Lets a query be prepared under another name on all connections, unless it has another one than `name` already.
  func renew(_ query: Query, _ name: String) {
    renewals.withLock { renewals in
      if name == Self.name(query, renewals) { renewals[query.name, default: 0] += 1 }
    }
    hasRenewals.store(true, ordering: .relaxed)
  }

  private static func name(_ query: Query, _ renewals: [String: Int]) -> String {
    renewals[query.name].map { "\(query.name)_\($0)" } ?? query.name
  }
}
