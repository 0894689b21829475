/// How a connection is encrypted, and by what the server is known.
///
/// The server must show a certificate for its name, or for its number if that is how it is addressed; there is no way
/// to do without. At least TLS 1.2 is spoken.
public struct RedisTLS: Sendable {
  /// The path of a PEM file with the authorities that are trusted; those of the system without one.
  public var authorities: String?
  /// The path of a PEM file with our own certificate, and those between it and its authority, if the server demands
  /// one.
  public var certificate: String?
  /// The path of a PEM file with the private key of our certificate.
  public var privateKey: String?
  /// The name in the server's certificate, if it is not that of the address.
  public var serverName: String?

  /// Describes the encryption. Files are read when a store is made.
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
