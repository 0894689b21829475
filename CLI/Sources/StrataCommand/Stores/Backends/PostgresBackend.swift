import StrataPostgres

/// Opens tables of `PostgresStorage` on a server.
enum PostgresBackend: StoreBackend {
  static let schemes = ["postgres", "postgresql"]
  static let forms = [
    (
      "postgres://HOST[:PORT]/DATABASE?table=NAME",
      "a table of PostgresStorage; &sslmode=verify-full encrypts"
    )
  ]

  /// The parameters that are passed on to libpq, PostgreSQL's client library.
  private static let connecting = ["host", "port", "user", "sslmode", "sslrootcert", "sslcert", "sslkey"]

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    try url.expect(["table", "schema"] + connecting)
    try url.refusePassword()
    let table = try url.required("table", "the table of the entries")
    // The parameters are passed on as they were typed, since libpq decodes them.
    let parameters = url.text.dropFirst(url.address.count + 1).split(separator: "&").filter { part in
      connecting.contains(String(part.prefix { $0 != "=" }))
    }
    var config = try PostgresConfig(
      url: url.address + (parameters.isEmpty ? "" : "?") + parameters.joined(separator: "&"))
    config.isReadOnly = request.isReadOnly
    // Two connections, since a copy writes a batch and reads another one at the same time.
    config.connections = 2
    if let password = try request.secrets.password(or: "PGPASSWORD") { config.password = password }
    if let timeout = request.timeout {
      config.timeout = .seconds(timeout)
      config.connectTimeout = .seconds(min(timeout, 5))
    } else {
      config.timeout = .seconds(30)
    }
    if config.host.hasPrefix("/") {
      try Listener.expect(socket: "\(config.host)/.s.PGSQL.\(config.port)", url.text)
    } else {
      try Listener.expect(host: config.host, port: Int(config.port), url.text)
    }
    let store = try PostgresStorage<String>(
      client: PostgresClient(config: config), table: table, schema: url.parameters["schema"],
      announcing: .off)
    return OpenStore(
      url: url, kind: "postgres", storage: store, facts: { [.init(name: "table", value: .text(table))] },
      figures: { TierFigures(postgres: try await store.figures()) },
      alternative: "use the server's VACUUM")
  }
}

extension TierFigures {
  /// The figures of a table. The server counts a scan for each read, and one for each write.
  fileprivate init(postgres figures: [String: Int]) {
    self.init(
      counters: [
        .writes: figures["n_tup_ins", default: 0] + figures["n_tup_upd", default: 0],
        .removals: figures["n_tup_del", default: 0],
        .operations: figures["idx_scan", default: 0] + figures["seq_scan", default: 0],
      ],
      entries: figures["n_live_tup"], size: figures["bytes"])
  }
}
