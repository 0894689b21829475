/// Which servers a Redis store talks to, as whom, and how long it waits for them.
public struct RedisConfig: Sendable {
  /// The server; of a cluster some nodes, from which the others are learnt.
  public var addresses: [RedisAddress]
  /// The name in the server's access list; without one, the default user's. A user without a password is let in only
  /// where the server asks for none (`nopass`).
  public var user: String?
  /// The password, if the server demands one.
  public var password: String?
  /// Says who we are, in place of `user` and `password`, each time that a connection is made: for passwords that
  /// change.
  public var credentials: (any RedisCredentialsProvider)?
  /// The servers that know which one is the primary. With it, `addresses` are not used.
  public var sentinel: RedisSentinel?
  /// The number of the database. A cluster has only 0.
  public var database: Int
  /// What `CLIENT LIST` on the server shows for the connections of this store.
  public var clientName: String?
  /// How connections are encrypted; without it they are not.
  public var tls: RedisTLS?
  /// How many connections to a server carry the commands of all tasks. One is fastest, unless values are very large:
  /// others then wait behind them.
  public var connections: Int
  /// How long a call may take, whatever happens, before it fails. Its command may have been carried out all the same.
  public var timeout: Duration
  /// How long it may take to connect, TLS and password included.
  public var connectTimeout: Duration
  /// After how long without a sign of the server it is asked for one. If none comes in as long again, the connection
  /// counts as lost.
  public var heartbeat: Duration
  /// Whether replicas answer reads, so that there are more servers to ask. They are some moments behind: a read may not
  /// see a write that returned before it.
  public var readsFromReplicas: Bool
  /// How many bytes of memory one reply may take. What a server sends beyond it is dropped: a value that is larger
  /// fails as `.tooLarge`, a batch is read in smaller parts.
  public var maximumReplySize: Int
  /// How the servers tell what others have changed, if something stands in front of a store.
  public var tracking: RedisTracking

  /// Describes a server. Nothing is checked, and nobody is connected to, until the store is used.
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
