internal import CPostgres
import StrataCore
import StrataNetwork

extension Connection {
  /// Receives the results of a call on the caller's thread, which it blocks for at most `time`. Returns whether the
  /// results have arrived.
  ///
  /// Meanwhile the loop does not watch the socket, so that its thread is not woken up. Other calls may be added: their
  /// results are received here too, or by the loop afterwards.
  func waitHere(for call: Call, within time: Duration = OwnWait.longest) -> Bool {
    // The wire is retained, so that its descriptor is not reused.
    let wire = state.withLock { state -> Wire? in
      guard state.phase == .ready, !state.isWatchedForWriting, let wire = state.wire, let token = state.token
      else { return nil }
      loop.watch(PQsocket(wire.handle), for: [], as: token)
      return wire
    }
    guard let wire else { return call.isFinished }
    let end = ContinuousClock.now + time
    repeat {
      guard OwnWait.isReadable(PQsocket(wire.handle), within: end - .now) else { break }
      if let failure = receive() {
        close(failure)
        break
      }
    } while !call.isFinished && .now < end
    state.withLock { state in
      guard state.phase == .ready, let token = state.token else { return }
      loop.watch(
        PQsocket(wire.handle), for: state.isWatchedForWriting ? [.readable, .writable] : .readable, as: token)
    }
    return call.isFinished
  }
}
