import StrataCore

/// The writes to a server that were given up while they were on their way, and what keeps them from undoing later ones.
///
/// A task that was cancelled, or has waited for too long, leaves its write in line on a connection. Whoever writes the
/// same key on another connection waits until the reply to it has come. A connection that is lost may leave writes
/// behind that something in between delivers later: before a key of theirs is written again, the server is told to end
/// that connection, by `CLIENT KILL`. It does nothing more of what comes over it then.
final class Fence: Sendable {
  typealias Key = [UInt8]

  /// What tells a connection from all others, and does not keep it.
  final class Mark: Sendable {}

  /// A write of unknown fate.
  private struct Doubt {
    let call: Call
    let carrier: Mark
  }

  /// A connection that left writes behind.
  private struct Lost {
    let carrier: Mark
    let identity: ServerIdentity
    let calls: [Call]
  }

  private struct State {
    var doubts: [Key: [Doubt]] = [:]
    var lost: [ObjectIdentifier: Lost] = [:]
    var waiting: [Pending<Void>] = []
  }

  private let state = Locked(State())

  /// Whether no write is in doubt.
  var isClear: Bool { state.withLock { $0.doubts.isEmpty } }

  /// Notes a write that its task has given up.
  func doubt(_ keys: [Key], _ call: Call, on carrier: Connection) {
    state.withLock { state in
      for key in keys { state.doubts[key, default: []].append(Doubt(call: call, carrier: carrier.mark)) }
    }
    call.whenSettled { [weak self, weak call] in
      guard let self, let call else { return }
      forget(keys, call)
    }
  }

  private func forget(_ keys: [Key], _ call: Call) {
    wake { state in
      for key in keys {
        state.doubts[key]?.removeAll { $0.call === call }
        if state.doubts[key]?.isEmpty == true { state.doubts[key] = nil }
      }
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.finish(.success(())) }
  }

  // MARK: Connections that end

  /// Notes a connection that has ended, with the writes that were sent over it and not answered.
  func lost(_ carrier: Connection, _ calls: [Call]) {
    if calls.isEmpty { return }
    guard let identity = carrier.wire.withLock({ $0.identity }) else {
      // A server that does not say who we are cannot be told whom to end. Its README says so.
      for call in calls { call.settle() }
      return
    }
    wake { state in
      state.lost[ObjectIdentifier(carrier.mark)] = Lost(
        carrier: carrier.mark, identity: identity, calls: calls)
    }
  }

  /// Has the server end all connections that left writes behind, before anything else is sent over a new one.
  func endLost(over connection: Connection) {
    for lost in state.withLock({ Array($0.lost.values) }) { end(lost, over: connection) }
  }

  private func end(_ lost: Lost, over connection: Connection) {
    // Nobody waits for the reply; whatever it is, nothing more can be done.
    let reply = Call(deadline: .now)
    reply.finish(.failure(CancellationError()))
    reply.whenSettled { [weak self] in
      self?.state.withLock { $0.lost[ObjectIdentifier(lost.carrier)] = nil }
      for call in lost.calls { call.settle() }
    }
    connection.addOwn(lost.identity.kill, reply)
  }

  // MARK: Writing again

  /// Returns when a write of some keys cannot be undone by an earlier one any more, if it is the next on a connection.
  ///
  /// Keys are all that there are if they are `nil`. Throws `.timedOut` if that is not so in time.
  func settle(_ keys: [Key]?, before connection: Connection, by deadline: ContinuousClock.Instant)
    async throws
  {
    while true {
      let waiter = Pending<Void>(deadline: deadline)
      let (obstacles, mustWait) = state.withLock { state -> ([Lost], Bool) in
        let doubts =
          keys.map { keys in keys.flatMap { state.doubts[$0] ?? [] } } ?? state.doubts.values.flatMap { $0 }
        let others = doubts.filter { $0.carrier !== connection.mark }
        let carriers = Dictionary(others.map { (ObjectIdentifier($0.carrier), $0) }) { first, _ in first }
        let lost = carriers.keys.compactMap { state.lost[$0] }
        if lost.count < carriers.count { state.waiting.append(waiter) }
        return (lost, lost.count < carriers.count)
      }
      if mustWait {
        EventLoop.shared.schedule(at: deadline) { [weak waiter] in
          waiter?.finish(.failure(RedisConnectionError.timedOut))
        }
        try await waiter.wait {}
        continue
      }
      // One that is being made does this by itself, before the first call.
      if connection.isReady { for lost in obstacles { end(lost, over: connection) } }
      return
    }
  }
}
