/// The sentinels that monitor a primary and its replicas, and report which server is the primary.
///
/// ```swift
/// let sentinels = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map { RedisAddress(host: $0, port: 26379) }
/// var config = RedisConfig()
/// config.sentinel = RedisSentinel(addresses: sentinels, name: "mymaster")
/// ```
public struct RedisSentinel: Sendable, Hashable {
  /// The addresses of some sentinels; a single sentinel that answers is enough.
  public var addresses: [RedisAddress]
  /// The sentinels' name for the primary, for example `mymaster`.
  public var name: String
  /// The user name for the sentinels, if they require one.
  public var user: String?
  /// The password for the sentinels, if they require one.
  public var password: String?

  /// Creates a configuration of sentinels.
  public init(addresses: [RedisAddress], name: String, user: String? = nil, password: String? = nil) {
    self.addresses = addresses
    self.name = name
    self.user = user
    self.password = password
  }
}
