import StrataRocksDB

/// Opens column families of `RocksDBStorage`.
enum RocksDBBackend: StoreBackend {
  static let schemes = ["rocksdb"]
  static let forms = [("rocksdb:FOLDER[?family=NAME]", "a family of RocksDBStorage; by default “entries”")]

  static func recognizes(path: String) -> Bool {
    Paths.isFile(path + "/CURRENT") && Paths.names(in: path).contains { $0.hasPrefix("MANIFEST-") }
  }

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    try url.expect(["family"])
    try request.expect(Paths.isFile(url.path + "/CURRENT"), "RocksDB database", at: url.path)
    var config = RocksDBConfig(path: url.path, family: url.parameters["family"] ?? "entries")
    config.isReadOnly = request.isReadOnly
    let store = try RocksDBStorage<String>(config: config)
    let family = config.family
    return OpenStore(
      url: url, kind: "rocksdb", storage: store, path: Paths.absolute(url.path),
      facts: {
        let figures = store.statistics
        return [
          .init(name: "family", value: .text(family)),
          .init(name: "storeBytes", value: .integer(figures.fileBytes + figures.memoryTableBytes)),
        ]
      },
      compact: {
        try store.removeExpiredObjects()
        try store.compact()
      },
      alternative: "copy the readable entries to a new store with strata copy")
  }
}
