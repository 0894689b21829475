import StrataCore
import StrataNetwork

extension Connection {
  /// Threads for resolving names, for which the system has only a blocking call.
  private static let resolvers = BlockingPool(width: 4)

  /// Starts to connect.
  func open() {
    loop.schedule(at: .now + config.connectTimeout) { [weak self] in self?.giveUpUnlessReady() }
    switch address.place {
    case .file(let path):
      guard let place = SocketAddress(path: path) else {
        return end(.unreachable("\(String(reflecting: path)) is not a valid path of a Unix socket"))
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

  /// Resolves a name, on a thread that may block.
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

  /// Tries the next address of the name.
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

  /// Handles the end of a connection attempt, successful or not.
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
    guard let provider = config.credentials else {
      return greet(as: RedisCredentials(user: config.user, password: config.password))
    }
    Task { [weak self] in
      let credentials = await Result { try await provider.credentials() }
      guard let self else { return }
      loop.execute { self.greet(asProvided: credentials) }
    }
  }

  private func greet(asProvided credentials: Result<RedisCredentials, any Error>) {
    switch credentials {
    case .success(let credentials):
      greet(as: credentials)
      if let life = credentials.life { renew(after: life) }
    // The provider's error is not quoted, since it may contain secrets.
    case .failure(let error):
      end(.unreachable("the provider of credentials threw an error of the type \(type(of: error))"))
    }
  }

  /// Schedules another authentication before the credentials expire.
  private func renew(after life: Duration) {
    loop.schedule(at: .now + life * 4 / 5) { [weak self] in self?.renewNow(life) }
  }

  private func renewNow(_ life: Duration) {
    guard let provider = config.credentials, !isClosed else { return }
    Task { [weak self] in
      switch await Result({ try await provider.credentials() }) {
      case .success(let credentials): self?.renew(credentials)
      // The old credentials may still be valid; if not, the server refuses them, and the next connection requests new
      // ones.
      case .failure: self?.renew(after: life / 5)
      }
    }
  }

  private func renew(_ credentials: RedisCredentials) {
    if let command = credentials.command { addOwn(command, Call(deadline: .now)) }
    if let life = credentials.life { renew(after: life) }
  }

  private func greet(as credentials: RedisCredentials) {
    // The connection may have ended while the provider was called.
    if wire.withLock({ $0.token }) == nil { return }
    let handshake = Handshake(config, credentials, greeting: greeting)
    wire.withLock { $0.phase = .greeting(handshake) }
    say([handshake.first])
  }

  private func say(_ commands: [RedisCommand]) {
    pipeline.withLock { $0.addGreeting(commands) }
    flush()
  }

  /// Continues the handshake after a reply.
  func greet(_ reply: RESPValue) {
    let step: Handshake.Step = wire.withLock { wire in
      guard case .greeting(var handshake) = wire.phase else { return .wait }
      let step = handshake.receive(reply)
      wire.identity = handshake.identity
      wire.phase = step == .ready ? .ready(since: .now) : .greeting(handshake)
      return step
    }
    switch step {
    case .wait: break
    case .send(let commands): say(commands)
    case .refused(let error): end(.refused(error))
    case .ready:
      observer.onReady(self)
      fence.endLost(over: self)
      perform(pipeline.withLock { $0.open() })
      beat(at: .now + config.heartbeat)
    }
  }

  private func giveUpUnlessReady() {
    if !isReady { end(.unreachable("the server did not answer within \(config.connectTimeout)")) }
  }
}
