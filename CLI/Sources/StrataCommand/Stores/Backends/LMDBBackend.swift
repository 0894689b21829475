import StrataLMDB

/// Opens databases of `LMDBStorage`.
enum LMDBBackend: StoreBackend {
  static let schemes = ["lmdb"]
  static let forms = [("lmdb:FOLDER[?database=NAME]", "a database of LMDBStorage; by default “entries”")]

  static func recognizes(path: String) -> Bool { Paths.isFile(path + "/data.mdb") }

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    try url.expect(["database"])
    try request.expect(Paths.isFile(url.path + "/data.mdb"), "LMDB environment", at: url.path)
    var config = LMDBConfig(path: url.path, database: url.parameters["database"] ?? "entries")
    config.isReadOnly = request.isReadOnly
    let store = try LMDBStorage<String>(config: config)
    let database = config.database
    return OpenStore(
      url: url, kind: "lmdb", storage: store, path: Paths.absolute(url.path), batch: 8192,
      facts: {
        let size = try store.totalSize
        return [
          .init(name: "database", value: .text(database)), .init(name: "storeBytes", value: .integer(size)),
        ]
      },
      alternative: "copy it to a new store with strata copy")
  }
}
