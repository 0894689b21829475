internal import COpenSSL

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The state that all encrypted connections to a server share: authorities and certificates, read once.
///
/// Unchecked: it never changes after `init`, and OpenSSL can create connections from it on any thread.
final class TLSContext: @unchecked Sendable {
  /// The reason why TLS cannot be used.
  struct Failure: Error, Hashable { let reason: String }

  private let context: OpaquePointer
  let serverName: String?

  /// Reads the files.
  init(_ tls: RedisTLS) throws(Failure) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw Failure(reason: Self.reason("TLS")) }
    self.context = context
    serverName = tls.serverName
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    // Macros in OpenSSL's header, which Swift does not import.
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    SSL_CTX_ctrl(
      context, SSL_CTRL_MODE, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER), nil)
    if let file = tls.authorities {
      try Self.check(SSL_CTX_load_verify_locations(context, file, nil), file)
    } else {
      try Self.check(SSL_CTX_set_default_verify_paths(context), "the authorities of the system")
    }
    if let file = tls.certificate {
      try Self.check(SSL_CTX_use_certificate_chain_file(context, file), file)
    }
    if let file = tls.privateKey {
      try Self.check(SSL_CTX_use_PrivateKey_file(context, file, SSL_FILETYPE_PEM), file)
      try Self.check(SSL_CTX_check_private_key(context), file)
    }
  }

  deinit { SSL_CTX_free(context) }

  /// Returns the state of one connection to a server with this name or IP address.
  func makeState(_ host: String) throws(Failure) -> OpaquePointer {
    guard let state = SSL_new(context) else { throw Failure(reason: Self.reason("TLS")) }
    let name = serverName ?? host
    SSL_set_connect_state(state)
    let parameters = SSL_get0_param(state)
    if X509_VERIFY_PARAM_set1_ip_asc(parameters, name) != 1 {
      // The host is a name. It is sent to the server, which may have a certificate for each of its names.
      ERR_clear_error()
      let isSet =
        SSL_set1_host(state, name) == 1
        && name.withCString {
          SSL_ctrl(state, SSL_CTRL_SET_TLSEXT_HOSTNAME, 0, UnsafeMutableRawPointer(mutating: $0))
        }
          == 1
      if !isSet {
        SSL_free(state)
        throw Failure(reason: "\(String(reflecting: name)) cannot be the name of a server")
      }
    }
    return state
  }

  private static func check(_ result: CInt, _ what: String) throws(Failure) {
    if result != 1 { throw Failure(reason: reason(what)) }
  }

  /// Returns OpenSSL's last error on this thread.
  static func reason(_ what: String) -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    let words = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    return "\(what): \(words)"
  }
}
