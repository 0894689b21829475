import BenchHarness

/// Tables of the measurements.
enum BackendTables {
  /// Returns the time of each backend as a multiple of its engine's.
  static func againstEngines(_ found: BackendTimings) -> Table {
    table(
      Engine.allCases.map { engine in (engine.backend, { .ratio(found.ratio(engine, $0, threads: $1)) }) })
  }

  /// Returns the time of each store in microseconds.
  static func all(_ found: BackendTimings) -> Table {
    let names = Engine.allCases.flatMap { [$0.raw, $0.backend] } + [BackendTimings.disk]
    return table(names.map { name in (name, { .measure(found.of(name, $0, threads: $1).median / 1000) }) })
  }

  private static func table(_ rows: [(name: String, cell: (Operation, _ threads: Int) -> Cell)]) -> Table {
    var table = Table(["store", "threads"] + Operation.allCases.map(\.rawValue))
    for (name, cell) in rows {
      for threads in BackendTimings.threads {
        table.add([.text(name), .count(threads)] + Operation.allCases.map { cell($0, threads) })
      }
    }
    return table
  }
}
