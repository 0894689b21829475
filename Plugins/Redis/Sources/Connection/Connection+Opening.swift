import StrataCore

extension Connection {
  /// Threads for names, which only a blocking call of the system can look up.
  private static let resolvers = BlockingPool(width: 4)

  /// Begins to connect.
  func open() {
    loop.schedule(at: .now + config.connectTimeout) { [weak self] in self?.giveUpUnlessReady() }
    switch address.place {
    case .file(let path):
      guard let place = SocketAddress(path: path) else {
        return end(.unreachable("\(String(reflecting: path)) is no path of a socket"))
      }
      connect([place])
    case .network(let host, let port):
      do throws(SocketAddress.Unknown) {
        connect(try SocketAddress.all(host: host, port: port, isNumber: true))
      } catch {
        Self.resolvers.submit { [weak self] in self?.resolve(host, port) }
      }
    }
  }

  /// Looks a name up, on a thread that may wait for it.
  private func resolve(_ host: String, _ port: UInt16) {
    do throws(SocketAddress.Unknown) {
      let places = try SocketAddress.all(host: host, port: port, isNumber: false)
      loop.execute { [weak self] in self?.connect(places) }
    } catch { close(.unreachable(error.reason)) }
  }

  private func connect(_ candidates: [SocketAddress]) {
    let isWaited = wire.withLock { wire in
      guard case .connecting = wire.phase else { return false }
      wire.candidates = candidates.reversed()
      return true
    }
    if isWaited { connectToNext() }
  }

  /// Tries the next address of those that the name has.
  private func connectToNext() {
    while let place = wire.withLock({ $0.candidates.popLast() }) {
      do throws(SystemFailure) {
        let socket = try Socket(connectingTo: place)
        let token = loop.add(socket, for: self)
        wire.withLock { $0.token = token }
        transport.withLock { $0 = socket }
        return
      } catch { wire.withLock { $0.lastFailure = error.description } }
    }
    end(.unreachable(wire.withLock { $0.lastFailure }))
  }

  /// The socket says that connecting is over, one way or the other.
  func finishConnecting() {
    guard let socket = transport.withLock({ $0 as? Socket }) else { return }
    do throws(SystemFailure) {
      try socket.checkConnected()
    } catch {
      forgetSocket()
      wire.withLock { $0.lastFailure = error.description }
      return connectToNext()
    }
    switch encryption {
    case .none: greet()
    case .impossible(let reason): end(.unreachable(reason))
    case .tls(let context):
      do throws(TLSContext.Failure) {
        let secured = try TLSTransport(socket, context, host: address.host ?? "localhost")
        transport.withLock { $0 = secured }
        greet()
      } catch { end(.unreachable(error.reason)) }
    }
  }

  private func greet() {
    let handshake = Handshake(config, greeting: greeting)
    wire.withLock { $0.phase = .greeting(handshake) }
    say([handshake.first])
  }

  private func say(_ commands: [RedisCommand]) {
    pipeline.withLock { $0.addGreeting(commands) }
    flush()
  }

  /// Goes on with the greeting after a reply.
  func greet(_ reply: RESPValue) {
    let step: Handshake.Step = wire.withLock { wire in
      guard case .greeting(var handshake) = wire.phase else { return .wait }
      let step = handshake.receive(reply)
      wire.phase = step == .ready ? .ready(since: .now) : .greeting(handshake)
      return step
    }
    switch step {
    case .wait: break
    case .send(let commands): say(commands)
    case .refused(let error): end(.refused(error))
    case .ready:
      observer.onReady(self)
      perform(pipeline.withLock { $0.open() })
      beat(at: .now + config.heartbeat)
    }
  }

  private func giveUpUnlessReady() {
    let isReady = wire.withLock { wire in
      if case .ready = wire.phase { return true }
      return false
    }
    if !isReady { end(.unreachable("it did not answer within \(config.connectTimeout)")) }
  }
}
