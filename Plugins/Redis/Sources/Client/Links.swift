import StrataCore
import StrataNetwork

/// The shared connections of a node. Each is made on first use, and again after it was lost.
final class Links: Sendable {
  private struct Link {
    var connection: Connection?
    var backoff = Backoff()
    /// The reason why there is no connection, until the next attempt.
    var failure: RedisConnectionError?
  }

  private struct State {
    var links: [Link]
    var turn = 0
    var lastNumber = 0
    /// When connections were last replaced by `renew`.
    var lastRenewal: ContinuousClock.Instant?
    var isClosed = false
  }

  /// The minimum life of a connection that resets the back-off when it ends.
  private static let shortLife = Duration.milliseconds(100)

  private static let shortestRenewal = Duration.milliseconds(100)

  private let address: RedisAddress
  private let config: RedisConfig
  private let encryption: Encryption
  private let fence: Fence
  private let greeting: [RedisCommand]
  private let onPush: (@Sendable (RESPValue) -> Void)?
  private let onLinkChange: (@Sendable (RedisNode.LinkChange) -> Void)?
  private let state: Locked<State>

  init(
    _ address: RedisAddress, _ config: RedisConfig, _ encryption: Encryption, _ fence: Fence,
    greeting: [RedisCommand], onPush: (@Sendable (RESPValue) -> Void)?,
    onLinkChange: (@Sendable (RedisNode.LinkChange) -> Void)?
  ) {
    self.address = address
    self.config = config
    self.encryption = encryption
    self.fence = fence
    self.greeting = greeting
    self.onPush = onPush
    self.onLinkChange = onLinkChange
    state = Locked(State(links: Array(repeating: Link(), count: max(config.connections, 1))))
  }

  /// Returns the connection for the next call. Writes of one key always use the same, so that they arrive in order. It
  /// may still be connecting. Throws while the back-off after a failure lasts.
  func next(writing key: @autoclosure () -> ArraySlice<UInt8>? = nil) throws(RedisConnectionError)
    -> Connection
  {
    try state.withLock { (state) throws(RedisConnectionError) in
      if state.isClosed { throw .closed }
      var place = 0
      if state.links.count > 1 {
        if let key = key() {
          place = Self.place(of: key, among: state.links.count)
        } else {
          state.turn = (state.turn + 1) % state.links.count
          place = state.turn
        }
      }
      if let connection = state.links[place].connection { return connection }
      if let failure = state.links[place].failure { throw failure }
      return connect(place, &state)
    }
  }

  private static func place(of key: ArraySlice<UInt8>, among count: Int) -> Int {
    Int(fnv1a(key) >> 32 % UInt64(count))
  }

  /// Replaces the connections by new ones, which resolve the name again. Calls in flight on the old connections still
  /// get their replies.
  func renew() {
    let old = state.withLock { state -> [Connection] in
      // Many callers notice the same failure of one connection at once.
      if let last = state.lastRenewal, .now - last < Self.shortestRenewal { return [] }
      state.lastRenewal = .now
      return state.links.indices.compactMap { place in
        defer { state.links[place].connection = nil }
        return state.links[place].connection
      }
    }
    for connection in old { connection.retire() }
  }

  private func connect(_ place: Int, _ state: inout State) -> Connection {
    state.lastNumber += 1
    let connection = Connection(
      state.lastNumber, to: address, config, greeting: greeting, encryption: encryption, fence: fence,
      observer: Connection.Observer(
        onReady: { [weak self] in self?.onLinkChange?(.up($0.number)) },
        onEnd: { [weak self] in self?.connectionEnded($0, place, $1, readySince: $2) },
        onPush: onPush ?? { _ in }))
    state.links[place].connection = connection
    state.links[place].failure = nil
    return connection
  }

  private func connectionEnded(
    _ connection: Connection, _ place: Int, _ reason: RedisConnectionError,
    readySince: ContinuousClock.Instant?
  ) {
    let delay: Duration? = state.withLock { state in
      guard state.links[place].connection === connection else { return nil }
      state.links[place].connection = nil
      if state.isClosed { return nil }
      if let readySince, .now - readySince >= Self.shortLife { state.links[place].backoff.reset() }
      var random = SystemRandomNumberGenerator()
      // A connection that was never ready counts as a failure already.
      if readySince == nil, state.links[place].backoff.failures == 0 {
        _ = state.links[place].backoff.delay(using: &random)
      }
      let delay = state.links[place].backoff.delay(using: &random)
      if delay > .zero { state.links[place].failure = reason }
      return delay
    }
    if readySince != nil { onLinkChange?(.down(connection.number)) }
    guard let delay else { return }
    EventLoop.shared.schedule(at: .now + delay) { [weak self] in self?.reconnect(place) }
  }

  /// Reconnects without a call, so that the next call finds a connection.
  private func reconnect(_ place: Int) {
    state.withLock { state in
      if state.isClosed || state.links[place].connection != nil { return }
      _ = connect(place, &state)
    }
  }

  /// Ends all connections permanently.
  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      return state.links.compactMap(\.connection)
    }
    for connection in connections { connection.close(.closed) }
  }
}
