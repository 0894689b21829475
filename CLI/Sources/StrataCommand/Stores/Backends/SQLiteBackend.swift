import StrataSQLite

/// Opens tables of `SQLiteStorage`.
enum SQLiteBackend: StoreBackend {
  static let schemes = ["sqlite"]
  static let forms = [("sqlite:FILE[?table=NAME]", "a table of SQLiteStorage; by default “entries”")]

  static func recognizes(path: String) -> Bool {
    Paths.isFile(path) && Paths.head(path, 15) == Array("SQLite format 3".utf8)
  }

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    try url.expect(["table"])
    try request.expect(Paths.isFile(url.path), "SQLite file", at: url.path)
    var config = SQLiteConfig(path: url.path, table: url.parameters["table"] ?? "entries")
    config.isReadOnly = request.isReadOnly
    if let timeout = request.timeout { config.busyTimeout = timeout }
    let store = try SQLiteStorage<String>(config: config)
    let table = config.table
    return OpenStore(
      url: url, kind: "sqlite", storage: store, path: Paths.absolute(url.path), companions: ["-wal"],
      batch: 1 << 17, batchBytes: 16 << 20,
      facts: {
        let size = try store.totalSize
        return [
          .init(name: "table", value: .text(table)), .init(name: "storeBytes", value: .integer(size)),
        ]
      },
      check: {
        try store.integrityCheck().map { Finding(kind: "damaged", place: store.path, reason: $0) }
      },
      compact: {
        try store.removeExpiredObjects()
        try store.compact()
      },
      alternative: "copy the readable entries to a new store with strata copy")
  }
}
