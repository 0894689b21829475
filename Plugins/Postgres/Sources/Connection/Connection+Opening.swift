internal import CPostgres
import StrataCore
import StrataNetwork

extension Connection {
  /// Threads for resolving names, for which libpq has only a blocking call.
  private static let openers = BlockingPool(width: 4)

  /// Starts to connect.
  func open() {
    loop.schedule(at: .now + config.connectTimeout) { [weak self] in
      guard let self, phase == .connecting else { return }
      end(.unreachable("it did not answer within \(config.connectTimeout)"))
    }
    Self.openers.submit { [self] in
      guard let wire = Wire.open(config, address, name) else { return close(.unreachable("out of memory")) }
      loop.execute { self.begin(wire) }
    }
  }

  private func begin(_ wire: Wire) {
    if PQstatus(wire.handle) == CONNECTION_BAD { return end(wire.failure) }
    PQsetErrorVerbosity(wire.handle, PQERRORS_VERBOSE)
    let token = loop.makeToken(for: self)
    let isWanted = state.withLock { state in
      // The connection may have been closed meanwhile.
      guard state.phase == .connecting else { return false }
      (state.wire, state.token) = (wire, token)
      return true
    }
    if !isWanted { return loop.remove(token) }
    // After its start, libpq waits for the socket to become writable.
    loop.watch(PQsocket(wire.handle), for: .writable, as: token)
  }

  /// Continues to connect, since the socket is ready.
  func continueOpening() {
    let failure: PostgresConnectionError? = state.withLock { state in
      guard state.phase == .connecting, let wire = state.wire, let token = state.token else { return nil }
      let wasSecuring = PQstatus(wire.handle) == CONNECTION_SSL_STARTUP
      switch PQconnectPoll(wire.handle) {
      // libpq may have another socket now, for the next address of the name.
      case PGRES_POLLING_READING: loop.watch(PQsocket(wire.handle), for: .readable, as: token)
      case PGRES_POLLING_WRITING: loop.watch(PQsocket(wire.handle), for: .writable, as: token)
      case PGRES_POLLING_OK: return becomeReady(wire, token, &state)
      default:
        // A missing password, or a certificate that is not accepted.
        state.isHopeless = wasSecuring || PQconnectionNeedsPassword(wire.handle) == 1
        return wire.failure
      }
      return nil
    }
    if let failure { return end(failure) }
    if phase == .ready { observer.onReady(self) }
  }

  /// Sends the calls that have waited for the connection.
  private func becomeReady(_ wire: Wire, _ token: PollToken, _ state: inout State) -> PostgresConnectionError?
  {
    PQsetErrorVerbosity(wire.handle, PQERRORS_DEFAULT)
    guard PQsetnonblocking(wire.handle, 1) == 0, PQenterPipelineMode(wire.handle) == 1 else {
      return .unreachable(wire.message)
    }
    state.phase = .ready
    setReady(true)
    loop.watch(PQsocket(wire.handle), for: .readable, as: token)
    while let call = state.waiting.popFirst() {
      if !send(call, &state) { return .lost("the statement could not be sent") }
    }
    return nil
  }
}
