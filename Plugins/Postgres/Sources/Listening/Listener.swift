import StrataCore
import StrataNetwork

/// The connection on which a client listens for changes, for all its stores that have another store in front.
///
/// Whenever it is lost, or a test of it fails, all stores are told that they may have missed changes. Each test sends a
/// notification over the pool and waits for it here, so that a pooler which drops notifications is detected too.
final class Listener: Sendable {
  /// A message to a store.
  enum Message: Sendable {
    /// These keys have changed.
    case keys([[UInt8]])
    /// Any key may have changed.
    case all
    /// The connection is lost: the store misses changes from now on.
    case lost
    /// The connection is back: every change of an entry that is read after this message is reported.
    case restored
    /// The server refuses to create the triggers, or to listen.
    case refused(any Error)
  }

  /// A store that listens.
  struct Ear: Sendable {
    /// Prepares the table and returns its channel.
    let prepare: @Sendable () async throws -> String
    let tell: @Sendable (Message) -> Void
  }

  enum Event { case added, tick, ended(PostgresConnectionError) }

  struct State {
    var ears: [Ear] = []
    /// For each channel, the indices of its stores in `ears`.
    var channels: [String: [Int]] = [:]
    var events: AsyncStream<Event>.Continuation?
    var task: Task<Void, Never>?
    /// The test that waits for its notification.
    var test: (nonce: String, waiter: Pending<Void>)?
    var isClosed = false
  }

  let config: PostgresConfig
  let pool: Pool
  let state = Locked(State())
  /// The channel of the tests.
  let ownChannel = "strata_test_\(UInt64.random(in: .min ... .max))"

  init(_ config: PostgresConfig, pool: Pool) {
    self.config = config
    self.pool = pool
  }

  /// Adds a store, and listens from then on.
  func add(_ ear: Ear) {
    state.withLock { state in
      if state.isClosed { return }
      state.ears.append(ear)
      state.events?.yield(.added)
      if state.task == nil { state.task = Task.detached { [self] in await run() } }
    }
  }

  func close() {
    let (task, events) = state.withLock { state in
      state.isClosed = true
      return (state.task, state.events)
    }
    task?.cancel()
    events?.yield(.ended(.closed))
  }

  /// Handles a notification, on the loop's thread.
  func hear(_ channel: String, _ payload: String) {
    let (ears, test) = state.withLock { state -> ([Ear], Pending<Void>?) in
      if channel == ownChannel { return ([], state.test?.nonce == payload ? state.test?.waiter : nil) }
      return (state.channels[channel, default: []].map { state.ears[$0] }, nil)
    }
    test?.finish(.success(()))
    if ears.isEmpty { return }
    let message = Message(payload: payload)
    for ear in ears { ear.tell(message) }
  }

  /// Reports to all stores that changes are missed.
  func tellLost() {
    for ear in state.withLock({ $0.ears }) { ear.tell(.lost) }
  }
}
