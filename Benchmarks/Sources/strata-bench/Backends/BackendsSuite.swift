import BenchHarness
import Foundation
import Strata

/// Compares each backend with the engine that it wraps, and all of them with each other.
enum BackendsSuite: Suite {
  static let name = "backends"
  static let summary = "SQLite, LMDB and RocksDB against their own C APIs, each other and DiskStorage"
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws -> Report {
    var report = Report("Backends")
    let isQuick = arguments.has("quick")
    for (size, label, count, bound) in [(100, "100 B", 10_000, 2.0), (10_000, "10 kB", 2_000, 1.3)] {
      Progress.say("backends: values of \(label)")
      let found = try withTemporaryFolder { folder in
        let stores = try Stores(folder: folder)
        return try Workload(
          value: Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }), count: isQuick ? 1_000 : count,
          isQuick: isQuick
        ).measure(stores)
      }
      report.add(
        "Against the engines' own C APIs: \(label)",
        """
        How many times the time of the same work done through the engine's C API, with the same table, flags and options. \
        Strings and `Data` go in and come out; Strata keeps an expiry as well. In batches of 1 000.
        """,
        table: BackendTables.againstEngines(found))
      report.add(
        "All backends: \(label)",
        """
        µs an operation, threads together. Each backend promises what it does by default: LMDB waits for the disk at each \
        write, SQLite, RocksDB and DiskStorage do not.
        """,
        table: BackendTables.all(found))
      for engine in Engine.allCases {
        for operation in Operation.allCases {
          report.add(
            .atMost(
              bound, found.ratio(engine, operation, threads: 1),
              "\(engine.backend), \(label), \(operation.rawValue), against \(engine.raw)"))
        }
      }
    }
    return report
  }
}
