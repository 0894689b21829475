/// The sentinels that monitor a primary and its replicas, and know which server is the primary.
public struct RedisSentinel: Sendable, Hashable {
  /// The addresses of some sentinels; one that answers is enough.
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
