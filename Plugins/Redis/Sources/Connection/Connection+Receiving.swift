import StrataCore
import StrataNetwork

extension Connection {
  func socketIsReady(_ readiness: Readiness) {
    if case .connecting = wire.withLock({ $0.phase }) {
      finishConnecting()
    } else if readiness.contains(.writable) {
      transport.withLock { $0 }?.socketHasRoom()
      pipeline.withLock { $0.socketHasRoom() }
      flush()
    }
    if readiness.isDisjoint(with: [.readable, .ended]) { return }
    receive(toTheEnd: readiness.contains(.ended))
    guard let transport = transport.withLock({ $0 }), !transport.showsItsEnd else { return }
    // TLS may have waited for received bytes before it could write.
    pipeline.withLock { $0.socketHasRoom() }
    flush()
  }

  /// Reads all available bytes and handles them.
  private func receive(toTheEnd: Bool) {
    guard let transport = transport.withLock({ $0 }) else { return }
    for _ in 0..<16 {
      switch read(transport, toTheEnd: toTheEnd) {
      case .all: return
      case .more: continue
      case .end(let reason): return end(reason)
      }
    }
    loop.execute { [weak self] in self?.receive(toTheEnd: toTheEnd) }
  }

  private enum Reading {
    case all
    case more
    case end(RedisConnectionError)
  }

  private func read(_ transport: any Transport, toTheEnd: Bool) -> Reading {
    // Replies to commands that other threads add from now on are complete.
    var runs = pipeline.withLock { $0.runs }
    let (replies, reading) = wire.withLock { wire -> ([RESPValue], Reading) in
      guard wire.token != nil else { return ([], .all) }
      var reading = Reading.all
      wire.decoder.receive { space in
        switch transport.read(into: space) {
        case .bytes(let count):
          if toTheEnd || !transport.showsItsEnd || count == space.count { reading = .more }
          return count
        case .wouldBlock: break
        case .ended: reading = .end(.lost("the server has closed it"))
        case .failed(let why): reading = .end(.lost(why))
        }
        return 0
      }
      wire.lastHeard = .now
      var replies: [RESPValue] = []
      do throws(RESPDecoder.Malformed) {
        wire.decoder.dropsTexts = runs.next
        while let reply = try wire.decoder.next() {
          replies.append(reply)
          if case .push = reply { continue }
          runs.removeFirst(1)
          wire.decoder.dropsTexts = runs.next
        }
      } catch { reading = .end(.malformedReply(error.reason)) }
      return (replies, reading)
    }
    return deliver(replies) ?? reading
  }

  /// Handles replies in order. Returns why the connection must end, or `nil`.
  private func deliver(_ replies: [RESPValue]) -> Reading? {
    var rest = replies[...]
    while let reply = rest.first {
      if case .push = reply {
        observer.onPush(reply)
        rest.removeFirst()
      } else if case .greeting = wire.withLock({ $0.phase }) {
        greet(reply)
        rest.removeFirst()
      } else {
        let answers = rest.prefix {
          if case .push = $0 { false } else { true }
        }
        if !answer(answers) { return .end(.malformedReply("a reply without a command")) }
        rest = rest[answers.endIndex...]
      }
    }
    return nil
  }

  private func answer(_ replies: ArraySlice<RESPValue>) -> Bool {
    let receipt = pipeline.withLock { $0.receive(replies) }
    perform(receipt.nextStep)
    for answer in receipt.answered where !answer.call.finish(.success(answer.replies)) {
      answer.call.settle()
    }
    endIfRetired()
    return !receipt.hasUnasked
  }

  /// Ends a retired connection, unless a call is in flight.
  func endIfRetired() {
    guard wire.withLock({ $0.isRetired }), pipeline.withLock({ $0.isIdle }) else { return }
    end(.lost("it was replaced by another connection"))
  }

  /// Schedules a check whether the server is alive, which sends a ping if no data has arrived for a while.
  func beat(at time: ContinuousClock.Instant) {
    loop.schedule(at: time) { [weak self] in self?.listen() }
  }

  private func listen() {
    guard let lastHeard = wire.withLock({ $0.token == nil ? nil : $0.lastHeard }) else { return }
    let silence = .now - lastHeard
    if silence < config.heartbeat { return beat(at: lastHeard + config.heartbeat) }
    if silence >= config.heartbeat * 2 {
      return end(.lost("the server has sent nothing for \(silence)"))
    }
    // An outstanding reply is a sign of life too, and would arrive before the reply to a ping.
    let nextStep: Pipeline.NextStep = pipeline.withLock { $0.owesReplies ? .nothing : $0.addOwn(.ping) }
    perform(nextStep)
    beat(at: lastHeard + config.heartbeat * 2)
  }

  /// Ends the connection, once.
  func end(_ reason: RedisConnectionError) {
    let last = wire.withLock { wire in
      defer { wire.phase = .closed }
      return wire.phase
    }
    var since: ContinuousClock.Instant?
    var reason = reason
    switch last {
    case .closed: return
    case .ready(let time): since = time
    case .connecting, .greeting:
      // No command of a caller was sent, so the server counts as unreachable.
      if case .lost(let why) = reason { reason = .unreachable(why) }
    }
    forgetSocket()
    observer.onEnd(self, reason, since)
    let (calls, sent) = pipeline.withLock { ($0.close(reason), $0.sentCalls) }
    // Recorded before any task gets the error.
    fence.lost(self, calls.prefix(sent).filter(\.isWrite))
    for call in calls.prefix(sent) { call.finish(.failure(reason)) }
    for call in calls.dropFirst(sent) {
      call.finish(.failure(since == nil ? reason : Unsent(reason: reason)))
      // An unsent write will never be executed. An unsent command of the connection itself has had no effect, so it
      // settles nothing.
      if call.isWrite { call.settle() }
    }
  }

  /// Releases the socket, which closes when no thread writes to it any more.
  func forgetSocket() {
    let token = wire.withLock { wire in
      defer { wire.token = nil }
      return wire.token
    }
    if let token { loop.remove(token) }
    transport.withLock { $0 = nil }
  }
}

/// The connection ended before any byte of a call was sent, so the call may use another one.
struct Unsent: Error { let reason: RedisConnectionError }

extension RedisCommand {
  fileprivate static let ping = RedisCommand("PING", keyIndex: nil)
}
