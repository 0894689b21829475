/// The servers that watch over a primary and its replicas, and know which one is the primary.
public struct RedisSentinel: Sendable, Hashable {
  /// Some of the sentinels; one that answers is enough.
  public var addresses: [RedisAddress]
  /// The name that they have for the primary, `mymaster` say.
  public var name: String
  /// Who we are to them, if they ask for it.
  public var user: String?
  /// The password that they demand, if they do.
  public var password: String?

  /// Describes sentinels.
  public init(addresses: [RedisAddress], name: String, user: String? = nil, password: String? = nil) {
    self.addresses = addresses
    self.name = name
    self.user = user
    self.password = password
  }
}
