/// The configuration of a PostgreSQL client: server or pooler, authentication, TLS and timeouts.
///
/// ```swift
/// let config = try PostgresConfig(url: "postgres://cache:secret@db.internal/app?sslmode=verify-full")
/// ```
///
/// Its description and its dump omit the password.
public struct PostgresConfig: Sendable {
  /// The address of the server: its name, its IP address, or the folder of its Unix socket.
  public var host: String
  /// The port of the server, which is also part of the name of its Unix socket.
  public var port: UInt16
  /// The name of the database.
  public var database: String
  /// The name of the role.
  public var user: String
  /// The password; `nil` if the server requires none, or accepts a client certificate.
  public var password: String?
  /// The TLS configuration; `nil` for unencrypted connections.
  public var tls: PostgresTLS?
  /// The maximum number of connections that carry calls. Further ones are opened when all of them are busy.
  public var connections: Int
  /// The maximum time of a call before it fails. Its statement is cancelled, but may have been executed.
  public var timeout: Duration
  /// The maximum time to connect, including TLS and authentication.
  public var connectTimeout: Duration
  /// How often the connection that listens for changes is tested. Each test takes one notification.
  public var heartbeat: Duration
  /// Whether statements are prepared once per connection. Turn it off for a pooler in transaction mode that does not
  /// support prepared statements, such as PgBouncer before 1.21.
  public var preparedStatements: Bool
  /// The address of the server itself, for the connection that listens for changes. Needed if `host` and `port` address
  /// a pooler in transaction mode.
  public var listening: PostgresAddress?

  /// Whether stores only read. They then create no table and no triggers, so that memory in front of them receives no
  /// invalidations. Writes throw `.readOnly`, and reads `.notFound` if there is no table.
  public var isReadOnly = false

  /// Creates a configuration. It is checked, and connections are made, only when the store is used.
  public init(
    host: String = "127.0.0.1", port: UInt16 = 5432, database: String = "postgres", user: String = "postgres",
    password: String? = nil, tls: PostgresTLS? = nil, connections: Int = 8, timeout: Duration = .seconds(5),
    connectTimeout: Duration = .seconds(2), heartbeat: Duration = .seconds(5),
    preparedStatements: Bool = true,
    listening: PostgresAddress? = nil
  ) {
    self.host = host
    self.port = port
    self.database = database
    self.user = user
    self.password = password
    self.tls = tls
    self.connections = connections
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.heartbeat = heartbeat
    self.preparedStatements = preparedStatements
    self.listening = listening
  }

  /// The address for calls.
  var address: PostgresAddress { PostgresAddress(host: host, port: port) }
}

/// The address of a server.
///
/// ```swift
/// // Calls go through PgBouncer, notifications come from the server itself.
/// var config = PostgresConfig(host: "pooler.internal", port: 6432, database: "app", user: "cache")
/// config.listening = PostgresAddress(host: "db.internal")
/// ```
public struct PostgresAddress: Sendable, Hashable, CustomStringConvertible {
  /// The name of the server, its IP address, or the folder of its Unix socket.
  public var host: String
  /// The port of the server.
  public var port: UInt16

  /// Creates an address.
  public init(host: String, port: UInt16 = 5432) {
    self.host = host
    self.port = port
  }

  /// `host:port`, `[host]:port` for an IPv6 address, or the path of the Unix socket.
  public var description: String {
    if host.hasPrefix("/") { return "\(host)/.s.PGSQL.\(port)" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// The TLS configuration of a connection.
///
/// ```swift
/// var config = try PostgresConfig(url: "postgres://cache@db.internal/app")
/// config.tls = PostgresTLS(authorities: "/etc/ssl/internal-ca.pem")
/// ```
///
/// The server must present a certificate for its name, as with `sslmode=verify-full` of libpq. This check cannot be
/// turned off.
public struct PostgresTLS: Sendable, Hashable {
  /// The path of a PEM file with trusted authorities; `nil` for libpq's default, `~/.postgresql/root.crt`.
  public var authorities: String?
  /// The path of a PEM file with the client certificate, if the server requires one.
  public var certificate: String?
  /// The path of a PEM file with the private key of the client certificate.
  public var privateKey: String?

  /// Creates a configuration. Its files are read for each connection.
  public init(authorities: String? = nil, certificate: String? = nil, privateKey: String? = nil) {
    self.authorities = authorities
    self.certificate = certificate
    self.privateKey = privateKey
  }
}

extension PostgresConfig: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The user, the address and the database, without the password.
  public var description: String { "postgres://\(user)@\(address)/\(database)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// The user, the address and the database, without the password.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "host": host, "port": port, "database": database, "user": user, "tls": tls as Any,
        "connections": connections,
      ])
  }
}
