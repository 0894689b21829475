import StrataCore
import StrataNetwork
import Synchronization

/// Abandoned writes to a server whose replies have not arrived, and the protection of later writes from them.
///
/// A task that is cancelled or times out leaves its write queued on a connection. A later write of the same key on
/// another connection waits for the reply to it. A lost connection may leave writes that a proxy or the network
/// delivers later. Before one of their keys is written again, the client makes the server end that connection, by
/// `CLIENT KILL`: the server then executes nothing more from it.
final class Fence: Sendable {
  typealias Key = [UInt8]

  /// Identifies a connection without retaining it.
  final class Mark: Sendable {}

  /// A write whose outcome is unknown.
  private struct AbandonedWrite {
    let call: Call
    let carrier: Mark
  }

  /// A lost connection with writes that were not answered.
  private struct Lost {
    let carrier: Mark
    let identity: ServerIdentity
    let calls: [Call]
  }

  private struct State {
    var abandoned: [Key: [AbandonedWrite]] = [:]
    var lost: [ObjectIdentifier: Lost] = [:]
    var waiting: [Pending<Void>] = []
  }

  private let state = Locked(State())
  /// Whether `abandoned` is empty, for callers that do not hold the lock.
  private let hasNoAbandoned = Atomic(true)

  /// Whether no write has an unknown outcome.
  ///
  /// An atomic flag instead of a lock, since every write reads it. Its memory order guarantees that a task sees its own
  /// abandoned writes, and all that it has been informed of.
  var isClear: Bool { hasNoAbandoned.load(ordering: .acquiring) }

  /// Records a write that its task has abandoned.
  func abandon(_ keys: [Key], _ call: Call, on carrier: Connection) {
    state.withLock { state in
      for key in keys {
        state.abandoned[key, default: []].append(AbandonedWrite(call: call, carrier: carrier.mark))
      }
      hasNoAbandoned.store(state.abandoned.isEmpty, ordering: .releasing)
    }
    call.whenSettled { [weak self, weak call] in
      guard let self, let call else { return }
      forget(keys, call)
    }
  }

  private func forget(_ keys: [Key], _ call: Call) {
    wake { state in
      for key in keys {
        state.abandoned[key]?.removeAll { $0.call === call }
        if state.abandoned[key]?.isEmpty == true { state.abandoned[key] = nil }
      }
      hasNoAbandoned.store(state.abandoned.isEmpty, ordering: .releasing)
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

  // MARK: Lost connections

  /// Records a connection that has ended, with the writes that were sent over it and not answered.
  func lost(_ carrier: Connection, _ calls: [Call]) {
    if calls.isEmpty { return }
    guard let identity = carrier.wire.withLock({ $0.identity }) else {
      // Without the server's identifier of the connection it cannot be killed, as the README says.
      for call in calls { call.settle() }
      return
    }
    wake { state in
      state.lost[ObjectIdentifier(carrier.mark)] = Lost(
        carrier: carrier.mark, identity: identity, calls: calls)
    }
  }

  /// Tells the server to end all recorded connections, before anything else is sent over a new one.
  func endLost(over connection: Connection) {
    for lost in state.withLock({ Array($0.lost.values) }) { end(lost, over: connection) }
  }

  private func end(_ lost: Lost, over connection: Connection) {
    // No task waits for the reply. It is ignored, since nothing more can be done.
    let reply = Call(deadline: .now)
    reply.finish(.failure(CancellationError()))
    reply.whenSettled { [weak self] in
      self?.state.withLock { $0.lost[ObjectIdentifier(lost.carrier)] = nil }
      for call in lost.calls { call.settle() }
    }
    connection.addOwn(lost.identity.kill, reply)
  }

  // MARK: Later writes

  /// Returns when no earlier write can overwrite a write of these keys that is sent next on `connection`.
  ///
  /// `nil` means all keys. Throws `.timedOut` after the deadline.
  func settle(_ keys: [Key]?, before connection: Connection, by deadline: ContinuousClock.Instant)
    async throws
  {
    while true {
      let waiter = Pending<Void>(deadline: deadline)
      let (obstacles, mustWait) = state.withLock { state -> ([Lost], Bool) in
        let abandoned =
          keys.map { keys in keys.flatMap { state.abandoned[$0] ?? [] } }
          ?? state.abandoned.values.flatMap { $0 }
        let others = abandoned.filter { $0.carrier !== connection.mark }
        let carriers = Dictionary(others.map { (ObjectIdentifier($0.carrier), $0) }) { first, _ in first }
        let lost = carriers.keys.compactMap { state.lost[$0] }
        if lost.count < carriers.count { state.waiting.append(waiter) }
        return (lost, lost.count < carriers.count)
      }
      if mustWait {
        try await waiter.wait(orThrow: RedisConnectionError.timedOut)
        continue
      }
      // A connection that is being opened ends them itself, before its first call.
      if connection.isReady { for lost in obstacles { end(lost, over: connection) } }
      return
    }
  }
}
