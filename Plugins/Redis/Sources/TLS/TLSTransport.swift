internal import COpenSSL
import StrataCore
import StrataNetwork

/// An encrypted connection: OpenSSL between two memory buffers, and a socket.
final class TLSTransport: Transport {
  /// OpenSSL's state of a connection.
  ///
  /// Unchecked: accessed only under the lock of the transport.
  fileprivate struct State: ~Copyable, @unchecked Sendable {
    let ssl: OpaquePointer
    /// Bytes from and to the server; `ssl` owns both buffers.
    let incoming: OpaquePointer
    let outgoing: OpaquePointer
    /// Encrypted bytes that the socket has not accepted, beginning at `start`.
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

  /// Creates an encrypted connection over a socket, to a server with this name or IP address. The first write starts
  /// the handshake.
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

  /// Always `false`: the socket may be readable although no decrypted bytes are available, since a record may be
  /// incomplete.
  var showsItsEnd: Bool { false }

  /// Always `false`: a failed write may have sent a part of its encrypted bytes.
  var failsWhole: Bool { false }

  func read(into space: UnsafeMutableRawBufferPointer) -> Socket.Outcome {
    // The space is valid until this function returns.
    nonisolated(unsafe) let space = space
    return state.withLock { state in
      while true {
        ERR_clear_error()
        let count = SSL_read(state.ssl, space.baseAddress, CInt(clamping: space.count))
        // The handshake may have to send something first.
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
      // Bytes that are already encrypted are sent first.
      let earlier = state.send(through: socket)
      if earlier != .bytes(0) { return earlier }
      ERR_clear_error()
      let count = SSL_write(state.ssl, bytes.baseAddress, CInt(clamping: bytes.count))
      let sent = state.send(through: socket)
      if case .failed = sent { return sent }
      if count > 0 { return .bytes(Int(count)) }
      // The handshake continues after the next bytes from the server.
      if SSL_get_error(state.ssl, count) == SSL_ERROR_WANT_READ { return .wouldBlock }
      return state.failure(count)
    }
  }

  func socketHasRoom() {
    state.withLock { _ = $0.send(through: socket) }
  }
}

extension TLSTransport.State {
  /// Sends all encrypted bytes. Returns `.bytes(0)` if none are left.
  fileprivate mutating func send(through socket: Socket) -> Socket.Outcome {
    while true {
      if start == rest.count {
        let count = BIO_read(outgoing, &buffer, CInt(buffer.count))
        if count <= 0 { return .bytes(0) }
        rest = Array(buffer[..<Int(count)])
        start = 0
      }
      let outcome = rest.withUnsafeBytes { socket.write($0.part(start...)) }
      guard case .bytes(let count) = outcome else { return outcome }
      start += count
    }
  }

  fileprivate mutating func receive(from socket: Socket) -> Socket.Outcome {
    let outcome = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
    if case .bytes(let count) = outcome { BIO_write(incoming, buffer, CInt(count)) }
    return outcome
  }

  /// Returns the outcome of a call that failed permanently.
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
