internal import CPostgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// libpq's connection, which ends with the last reference.
///
/// Unchecked: a `Connection` accesses it only under its lock.
final class Wire: @unchecked Sendable {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    self.handle = handle
    // libpq would print notices to the standard error stream.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  /// Starts to connect, and resolves the name, which may block. `nil` if there is no memory.
  static func open(_ config: PostgresConfig, _ address: PostgresAddress, _ name: String) -> Wire? {
    var parameters = [
      "host": address.host, "port": "\(address.port)", "dbname": config.database, "user": config.user,
      "application_name": name, "client_encoding": "UTF8", "gssencmode": "disable",
      "sslmode": config.tls == nil ? "disable" : "verify-full",
    ]
    // Without a password libpq would search its password file. This path disables that.
    parameters["password"] = config.password
    parameters["passfile"] = "/dev/null/none"
    parameters["sslrootcert"] = config.tls?.authorities
    parameters["sslcert"] = config.tls?.certificate
    parameters["sslkey"] = config.tls?.privateKey
    _ = keepsOpenSSL
    let names = parameters.keys.map { Text($0) }
    let values = parameters.values.map { Text($0) }
    return withExtendedLifetime((names, values)) {
      PQconnectStartParams(names.map(\.pointer) + [nil], values.map(\.pointer) + [nil], 0).map(Wire.init)
    }
  }

  /// Whether OpenSSL holds bytes that it has received and decrypted, and libpq has not read.
  var hasDecryptedBytes: Bool {
    guard let encryption = PQsslStruct(handle, "OpenSSL") else { return false }
    return Self.countDecrypted?(encryption) ?? 0 > 0
  }

  /// OpenSSL's `SSL_pending`. libpq has no function for it.
  private static let countDecrypted: (@convention(c) (UnsafeMutableRawPointer) -> CInt)? = {
    guard let program = dlopen(nil, RTLD_NOW), let address = dlsym(program, "SSL_pending") else { return nil }
    return unsafeBitCast(address, to: (@convention(c) (UnsafeMutableRawPointer) -> CInt).self)
  }()

  /// Tells OpenSSL, which libpq uses, to release nothing when the program ends, since other threads may still be
  /// connecting then. libpq has no function for that, and not every libpq is linked with OpenSSL.
  private static let keepsOpenSSL: Void = {
    typealias Initialise = @convention(c) (UInt64, OpaquePointer?) -> CInt
    let withoutExitHandler: UInt64 = 0x0008_0000
    guard let program = dlopen(nil, RTLD_NOW), let address = dlsym(program, "OPENSSL_init_crypto") else {
      return
    }
    // The signature in OpenSSL's header since 1.1.
    _ = unsafeBitCast(address, to: Initialise.self)(withoutExitHandler, nil)
  }()

  /// The reason of a failure: the server's refusal with its code, or libpq's message.
  var failure: PostgresConnectionError {
    // In libpq's verbose messages a code of five letters or digits follows the severity.
    let lines = message.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
      .filter { !$0.hasPrefix("LOCATION:") }
    for line in lines.reversed() {
      let parts = line.split(separator: ":", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
      for place in parts.indices.dropLast() where Self.isCode(parts[place]) {
        return .refused(
          PostgresServerError(String(parts[place]), parts[(place + 1)...].joined(separator: ": ")))
      }
    }
    return .unreachable(lines.joined(separator: "; "))
  }

  /// libpq's last message.
  var message: String { String(cString: PQerrorMessage(handle)) }

  private static func isCode(_ text: Substring) -> Bool {
    text.utf8.count == 5 && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
      && text.contains(where: \.isNumber)
  }

  /// Returns a function that asks the server to cancel the running statement, and blocks until the server has answered.
  /// The connection may be closed meanwhile.
  func canceller() -> @Sendable () -> Void {
    guard let cancel = PQgetCancel(handle).map(Cancel.init) else { return {} }
    return { cancel.perform() }
  }

  /// The data for cancelling a statement. Unchecked: it never changes.
  private final class Cancel: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQfreeCancel(handle) }

    func perform() {
      var reason = [CChar](repeating: 0, count: 256)
      // If the cancellation fails, the statement ends by itself.
      _ = PQcancel(handle, &reason, CInt(reason.count))
    }
  }

  /// A copy of a text as a NUL-terminated C string.
  private final class Text {
    let pointer: UnsafePointer<CChar>?
    private let buffer: UnsafeMutableBufferPointer<CChar>

    init(_ text: String) {
      let bytes = text.utf8CString
      buffer = .allocate(capacity: bytes.count)
      _ = buffer.initialize(from: bytes)
      pointer = UnsafePointer(buffer.baseAddress)
    }

    deinit { buffer.deallocate() }
  }
}
