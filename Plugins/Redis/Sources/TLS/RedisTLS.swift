/// The TLS configuration of a connection.
///
/// ```swift
/// var config = RedisConfig(addresses: [RedisAddress(host: "redis.internal", port: 6380)])
/// config.tls = RedisTLS(authorities: "/etc/ssl/internal-ca.pem")
/// ```
///
/// The server must present a certificate for its name, or for its IP address if it is addressed by that; this check
/// cannot be turned off. The minimum version is TLS 1.2.
public struct RedisTLS: Sendable {
  /// The path of a PEM file with trusted authorities; `nil` for the system's authorities.
  public var authorities: String?
  /// The path of a PEM file with the client certificate and its intermediate certificates, if the server requires one.
  public var certificate: String?
  /// The path of a PEM file with the private key of the client certificate.
  public var privateKey: String?
  /// The name in the server's certificate, if it differs from the address.
  public var serverName: String?

  /// Creates a configuration. Its files are read when a store is created.
  public init(
    authorities: String? = nil, certificate: String? = nil, privateKey: String? = nil,
    serverName: String? = nil
  ) {
    self.authorities = authorities
    self.certificate = certificate
    self.privateKey = privateKey
    self.serverName = serverName
  }
}
