internal import CPostgres
import StrataCore

extension PostgresConfig {
  /// Reads a URL such as `postgres://user:secret@db.internal:5432/app?sslmode=verify-full`, or libpq's
  /// `host=… dbname=…`.
  ///
  /// Of libpq's parameters it supports `host`, `port`, `dbname`, `user`, `password`, `sslmode`, `sslrootcert`,
  /// `sslcert` and `sslkey`. `sslmode` is `verify-full`, or `disable`, the default. Throws `.invalidConfiguration` for
  /// other parameters: if they were ignored, the connection might be less protected than intended.
  public init(url: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(url, &message) else {
      // libpq quotes the text, which may contain the password.
      PQfreemem(message)
      throw StorageError.invalidConfiguration.with(
        "the text is not a URL such as postgres://user@host:5432/database, nor a list such as host=… dbname=…"
      )
    }
    defer { PQconninfoFree(options) }
    self.init()
    var files = PostgresTLS()
    var mode = "disable"
    var option = options
    while let keyword = option.pointee.keyword {
      defer { option += 1 }
      guard let value = option.pointee.val.map({ String(cString: $0) }) else { continue }
      switch String(cString: keyword) {
      case "host", "hostaddr": host = value
      case "port":
        guard let number = UInt16(value) else { throw Self.unusable("port", value) }
        port = number
      case "dbname": database = value
      case "user": user = value
      case "password": password = value
      case "sslmode": mode = value
      case "sslrootcert": files.authorities = value
      case "sslcert": files.certificate = value
      case "sslkey": files.privateKey = value
      case let name: throw Self.unusable(name, nil)
      }
    }
    switch mode {
    case "disable": tls = nil
    case "verify-full": tls = files
    default: throw Self.unusable("sslmode", mode)
    }
  }

  private static func unusable(_ name: String, _ value: String?) -> StorageError {
    let value = value.map { "=\($0)" } ?? ""
    return .invalidConfiguration.with(
      "the URL of the server has the parameter \(name)\(value), which this client does not support; "
        + "`sslmode` must be `verify-full` or `disable`")
  }
}
