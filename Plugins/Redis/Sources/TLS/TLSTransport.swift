internal import COpenSSL
import StrataCore

/// An encrypted connection: OpenSSL between two buffers in memory, and the socket behind them.
final class TLSTransport: Transport {
  /// What OpenSSL knows of a connection.
  ///
  /// Unchecked: only touched under the lock of the transport.
  fileprivate struct State: ~Copyable, @unchecked Sendable {
    let ssl: OpaquePointer
    /// What came from the server, and what is to go there; `ssl` owns both.
    let incoming: OpaquePointer
    let outgoing: OpaquePointer
    /// Encrypted bytes that the socket did not take, from `start` on.
    var rest: [UInt8] = []
    var start = 0
    var buffer = [UInt8](repeating: 0, count: 32 << 10)

    init(_ ssl: OpaquePointer, _ incoming: OpaquePointer, _ outgoing: OpaquePointer) {
      self.ssl = ssl
      self.incoming = incoming
      self.outgoing = outgoing
    }

    deinit { SSL_free(ssl) }
  }

  private let socket: Socket
  private let state: Locked<State>

  /// Encryption over a socket, for a server of this name or number. The first write begins to negotiate.
  init(_ socket: Socket, _ context: TLSContext, host: String) throws(TLSContext.Failure) {
    self.socket = socket
    let ssl = try context.makeState(host)
    guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
      SSL_free(ssl)
      throw TLSContext.Failure(reason: "out of memory")
    }
    SSL_set_bio(ssl, incoming, outgoing)
    state = Locked(State(ssl, incoming, outgoing))
  }

  /// A record may be incomplete though more is there, and the other way round.
  var showsItsEnd: Bool { false }

  /// Bytes that are encrypted may be on their way in part.
  var failsWhole: Bool { false }

  func read(into space: UnsafeMutableRawBufferPointer) -> Socket.Outcome {
    // The space is the caller's until this returns.
    nonisolated(unsafe) let space = space
    return state.withLock { state in
      while true {
        ERR_clear_error()
        let count = SSL_read(state.ssl, space.baseAddress, CInt(clamping: space.count))
        // To negotiate, something may have to go out first.
        let sent = state.send(through: socket)
        if count > 0 { return .bytes(Int(count)) }
        if case .failed = sent { return sent }
        guard SSL_get_error(state.ssl, count) == SSL_ERROR_WANT_READ else { return state.failure(count) }
        let received = state.receive(from: socket)
        guard case .bytes = received else { return received }
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Socket.Outcome {
    nonisolated(unsafe) let bytes = bytes
    return state.withLock { state in
      // What is encrypted already goes first.
      let earlier = state.send(through: socket)
      if earlier != .bytes(0) { return earlier }
      ERR_clear_error()
      let count = SSL_write(state.ssl, bytes.baseAddress, CInt(clamping: bytes.count))
      let sent = state.send(through: socket)
      if case .failed = sent { return sent }
      if count > 0 { return .bytes(Int(count)) }
      // Still negotiating: it goes on when the server has said something.
      if SSL_get_error(state.ssl, count) == SSL_ERROR_WANT_READ { return .wouldBlock }
      return state.failure(count)
    }
  }

  func socketHasRoom() {
    state.withLock { _ = $0.send(through: socket) }
  }
}

extension TLSTransport.State {
  /// Sends all that is encrypted: `.bytes(0)` if nothing is left.
  fileprivate mutating func send(through socket: Socket) -> Socket.Outcome {
    while true {
      if start == rest.count {
        let count = BIO_read(outgoing, &buffer, CInt(buffer.count))
        if count <= 0 { return .bytes(0) }
        rest = Array(buffer[..<Int(count)])
        start = 0
      }
      let outcome = rest.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
      guard case .bytes(let count) = outcome else { return outcome }
      start += count
    }
  }

  fileprivate mutating func receive(from socket: Socket) -> Socket.Outcome {
    let outcome = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
    if case .bytes(let count) = outcome { BIO_write(incoming, buffer, CInt(count)) }
    return outcome
  }

  /// What a call that failed for good says.
  fileprivate func failure(_ result: CInt) -> Socket.Outcome {
    if SSL_get_error(ssl, result) == SSL_ERROR_ZERO_RETURN { return .ended }
    let verification = SSL_get_verify_result(ssl)
    if verification != X509_V_OK {
      return .failed(
        "its certificate is not valid: \(String(cString: X509_verify_cert_error_string(verification)))")
    }
    return .failed(TLSContext.reason("TLS"))
  }
}
