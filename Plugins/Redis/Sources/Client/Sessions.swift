import StrataCore
import StrataNetwork

/// A pool of connections that are used by one caller at a time. The number is limited; when all are in use, callers
/// wait.
final class Sessions: Sendable {
  private typealias Waiter = Pending<Connection>

  private struct State {
    /// Unused connections, the last used one at the end.
    var idle: [Connection] = []
    var lent: [Connection] = []
    /// Lent connections that are not lent again: they may lead to another server than the address by now.
    var outdated: [Connection] = []
    var waiting = FIFO<Waiter>()
    var isClosed = false
  }

  private static let limit = 16

  private let address: RedisAddress
  private let config: RedisConfig
  private let encryption: Encryption
  private let fence: Fence
  private let state = Locked(State())

  init(_ address: RedisAddress, _ config: RedisConfig, _ encryption: Encryption, _ fence: Fence) {
    self.fence = fence
    self.address = address
    self.config = config
    self.encryption = encryption
  }

  /// Calls `body` with a connection. If `body` throws, the connection is closed, which discards its watches and queued
  /// commands.
  func lend<R: Sendable>(_ body: (RedisSession) async throws -> R) async throws -> R {
    let connection = try await borrow()
    do {
      let result = try await body(RedisSession(connection: connection))
      giveBack(connection, isClean: true)
      return result
    } catch {
      giveBack(connection, isClean: false)
      throw error
    }
  }

  private func borrow() async throws -> Connection {
    let waiter = Waiter(deadline: .now + config.timeout)
    do {
      return try await waiter.wait { ask(waiter) }
    } catch let error as RedisConnectionError { throw error.storageError(at: address) }
  }

  private func ask(_ waiter: Waiter) {
    let answer: Result<Connection, any Error>? = state.withLock { state in
      if state.isClosed { return .failure(RedisConnectionError.closed) }
      guard state.lent.count < Self.limit else {
        state.waiting.append(waiter)
        return nil
      }
      return .success(take(&state))
    }
    guard let answer else {
      return EventLoop.shared.schedule(at: waiter.deadline) { [weak waiter] in
        waiter?.finish(.failure(RedisConnectionError.timedOut))
      }
    }
    hand(answer, to: waiter)
  }

  /// Returns an unused connection, or a new one.
  private func take(_ state: inout State) -> Connection {
    let connection =
      state.idle.popLast()
      ?? Connection(
        0, to: address, config, greeting: [], encryption: encryption, fence: fence,
        observer: Connection.Observer(onEnd: { [weak self] connection, _, _ in self?.forget(connection) }))
    state.lent.append(connection)
    return connection
  }

  private func hand(_ answer: Result<Connection, any Error>, to waiter: Waiter) {
    if waiter.finish(answer) { return }
    // The caller no longer waits.
    if case .success(let connection) = answer { giveBack(connection, isClean: true) }
  }

  private func giveBack(_ connection: Connection, isClean: Bool) {
    let (isKept, next, answer) = state.withLock { state -> (Bool, Waiter?, Result<Connection, any Error>?) in
      state.lent.removeAll { $0 === connection }
      let isKept = isClean && !state.isClosed && !state.outdated.contains { $0 === connection }
      state.outdated.removeAll { $0 === connection }
      if isKept, !connection.isClosed { state.idle.append(connection) }
      guard let next = state.waiting.popFirst() else { return (isKept, nil, nil) }
      return (isKept, next, .success(take(&state)))
    }
    if !isKept { connection.close(.closed) }
    if let next, let answer { hand(answer, to: next) }
  }

  private func forget(_ connection: Connection) {
    state.withLock { state in state.idle.removeAll { $0 === connection } }
  }

  /// Replaces the connections by new ones, which resolve the name again: the unused ones at once, the others when they
  /// are given back.
  func renew() {
    let idle = state.withLock { state in
      state.outdated = state.lent
      defer { state.idle = [] }
      return state.idle
    }
    for connection in idle { connection.close(.closed) }
  }

  /// Ends all connections permanently.
  func close() {
    let (connections, waiters) = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = FIFO() }
      return (state.idle + state.lent, Array(state.waiting.all))
    }
    for connection in connections { connection.close(.closed) }
    for waiter in waiters { waiter.finish(.failure(RedisConnectionError.closed)) }
  }
}
