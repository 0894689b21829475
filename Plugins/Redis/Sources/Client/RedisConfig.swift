/// The configuration of a Redis client: servers, authentication, and timeouts.
///
/// ```swift
/// let config = RedisConfig(
///   addresses: [RedisAddress(host: "redis.internal")], password: passphrase, tls: RedisTLS(), timeout: .seconds(1))
/// let pages = try RedisStorage<String>(config: config, namespace: "pages")
/// ```
public struct RedisConfig: Sendable {
  /// The address of the server, or of some nodes of a cluster, which report the others.
  public var addresses: [RedisAddress]
  /// The user name in the server's access list; `nil` for the default user. A user without a password is accepted only
  /// if the server requires none (`nopass`).
  public var user: String?
  /// The password, if the server requires one.
  public var password: String?
  /// Provides the credentials of each new connection, instead of `user` and `password`: for passwords that change.
  public var credentials: (any RedisCredentialsProvider)?
  /// The sentinels that know the primary. If set, `addresses` is ignored.
  public var sentinel: RedisSentinel?
  /// The number of the database. A cluster has only 0.
  public var database: Int
  /// The name of this client's connections in `CLIENT LIST`.
  public var clientName: String?
  /// The TLS configuration; `nil` for unencrypted connections.
  public var tls: RedisTLS?
  /// The number of connections to a server that carry the commands of all tasks. One is fastest, unless very large
  /// values make other calls wait.
  public var connections: Int
  /// The maximum time of a call before it fails. Its command may still have been executed.
  public var timeout: Duration
  /// The maximum time to connect, including TLS and authentication.
  public var connectTimeout: Duration
  /// The time without data from a server after which it is pinged. After the same time again without a reply, the
  /// connection counts as lost.
  public var heartbeat: Duration
  /// Whether replicas answer reads, so that more servers share the load. Replicas lag behind: a read may miss a write
  /// that returned before it began.
  public var readsFromReplicas: Bool
  /// The maximum memory of one reply in bytes. The excess is discarded: a larger value fails with `.tooLarge`, a batch
  /// is read in smaller parts.
  public var maximumReplySize: Int
  /// How servers report changes by other clients to memory in front of a store.
  public var tracking: RedisTracking

  /// Creates a configuration. It is checked, and connections are made, only when the store is used.
  public init(
    addresses: [RedisAddress] = [RedisAddress(host: "127.0.0.1")], user: String? = nil,
    password: String? = nil,
    database: Int = 0, clientName: String? = nil, tls: RedisTLS? = nil, connections: Int = 1,
    timeout: Duration = .seconds(5), connectTimeout: Duration = .seconds(2),
    heartbeat: Duration = .seconds(5), readsFromReplicas: Bool = false, tracking: RedisTracking = .reads,
    credentials: (any RedisCredentialsProvider)? = nil, sentinel: RedisSentinel? = nil,
    maximumReplySize: Int = 1 << 29 + 1 << 20
  ) {
    self.addresses = addresses
    self.user = user
    self.password = password
    self.database = database
    self.clientName = clientName
    self.tls = tls
    self.connections = connections
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.heartbeat = heartbeat
    self.readsFromReplicas = readsFromReplicas
    self.tracking = tracking
    self.credentials = credentials
    self.sentinel = sentinel
    self.maximumReplySize = maximumReplySize
  }
}
