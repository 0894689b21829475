import StrataRedis

/// Opens namespaces of `RedisStorage` on a server.
enum RedisBackend: StoreBackend {
  static let schemes = ["redis", "rediss", "unix"]
  static let forms = [
    ("redis://HOST[:PORT][/DATABASE]?namespace=NAME", "a namespace of RedisStorage; rediss:// encrypts"),
    ("unix:///SOCKET?namespace=NAME", "the same through a socket of this machine"),
  ]

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    let isSocket = url.scheme == "unix"
    try url.expect(["namespace", "user", "ca", "cert", "key"] + (isSocket ? ["db"] : []))
    let namespace = try url.required("namespace", "the store's name on the server")
    try url.refusePassword()
    var text = url.address
    if let database = url.parameters["db"] { text += "?db=\(database)" }
    var config = try RedisConfig(url: text)
    config.clientName = "strata"
    if let user = url.parameters["user"] { config.user = user }
    if let password = try request.secrets.password(or: "REDISCLI_AUTH") { config.password = password }
    if url.scheme == "rediss" {
      config.tls = RedisTLS(
        authorities: url.parameters["ca"], certificate: url.parameters["cert"],
        privateKey: url.parameters["key"])
    }
    if let timeout = request.timeout {
      config.timeout = .seconds(timeout)
      config.connectTimeout = .seconds(min(timeout, 5))
    }
    for address in config.addresses {
      if let path = address.path {
        try Listener.expect(socket: path, url.text)
      } else if let host = address.host, let port = address.port {
        try Listener.expect(host: host, port: Int(port), url.text)
      }
    }
    let store = try RedisStorage<String>(config: config, namespace: namespace)
    return OpenStore(
      url: url, kind: "redis", storage: store,
      facts: { [.init(name: "namespace", value: .text(namespace))] },
      figures: {
        TierFigures(redis: try await store.client.figures(), database: store.client.config.database)
      },
      alternative: "the server frees memory itself")
  }
}

extension TierFigures {
  /// The figures of a server's report (`INFO`). They concern the whole server, and the number of entries its database.
  fileprivate init(redis figures: [String: Int], database: Int) {
    let names: [Counter: String] = [
      .operations: "total_commands_processed", .hits: "keyspace_hits", .misses: "keyspace_misses",
      .evictions: "evicted_keys", .expiries: "expired_keys", .failures: "total_error_replies",
    ]
    self.init(
      counters: names.compactMapValues { figures[$0] }, entries: figures["db\(database).keys"] ?? 0,
      size: figures["used_memory"])
  }
}
