import StrataCore
import StrataNetwork

/// The connection on which a client listens for changes, for all its stores that have another store in front.
///
/// Whenever it is lost, or a test of it fails, all stores are notified that they may have missed changes. Each test
/// sends a notification over the pool and waits for it on this connection. This also detects a pooler that drops
/// notifications.
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

  /// A store that receives notifications of changes.
  struct Subscriber: Sendable {
    /// Prepares the table and returns its channel.
    let prepare: @Sendable () async throws -> String
    /// Prepares the table again if it was replaced, and notifies the store. Called with each test.
    var check: @Sendable () async throws -> Void = {}
    let notify: @Sendable (Message) -> Void
  }

  enum Event { case added, tick, ended(PostgresConnectionError) }

  struct State {
    var subscribers: [Subscriber] = []
    /// For each channel, the indices of its stores in `subscribers`.
    var channels: [String: [Int]] = [:]
    var events: AsyncStream<Event>.Continuation?
    var task: Task<Void, Never>?
    /// The running test: the text of its notification, and the waiting task.
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

  /// Adds a store, and starts to listen for its changes.
  func add(_ subscriber: Subscriber) {
    state.withLock { state in
      if state.isClosed { return }
      state.subscribers.append(subscriber)
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
  func handle(_ channel: String, _ payload: String) {
    let (subscribers, test) = state.withLock { state -> ([Subscriber], Pending<Void>?) in
      if channel == ownChannel { return ([], state.test?.nonce == payload ? state.test?.waiter : nil) }
      return (state.channels[channel, default: []].map { state.subscribers[$0] }, nil)
    }
    test?.finish(.success(()))
    if subscribers.isEmpty { return }
    let message = Message(payload: payload)
    for subscriber in subscribers { subscriber.notify(message) }
  }

  /// Tells all stores that they may miss changes from now on.
  func notifyLost() {
    for subscriber in state.withLock({ $0.subscribers }) { subscriber.notify(.lost) }
  }
}
