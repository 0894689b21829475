import BenchHarness
import Foundation
import Strata

/// The cost of a chain's combinators, against the parts that they consist of.
enum ChainSuite: Suite {
  static let name = "chain"
  static let summary =
    "hits, misses and writes through Storage, AsyncStorage and the links, against their raw parts"
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    var report = Report("Chain")
    try withTemporaryFolder { folder in
      try ChainCosts(operations: isQuick ? 500 : 50_000).measure(folder, &report)
      try ChainHits(operations: isQuick ? 5_000 : 300_000).measure(folder, &report)
      try ChainMisses(operations: isQuick ? 50 : 2_000).measure(folder, &report)
      try ChainAwaits(operations: isQuick ? 160 : 4_800).measure(folder, &report)
      try ChainWrites(operations: isQuick ? 20 : 300).measure(folder, &report)
    }
    return report
  }

  /// Returns a table for one thread, with ratios to one of the contenders.
  static func table(
    _ measurements: [Timing], baseline: String, unit: (name: String, nanoseconds: Double)
  )
    -> Table
  {
    var table = Table(["store", "\(unit.name) an operation", "best", "ratio"])
    for one in measurements {
      table.add([
        .text(one.name), .measure(one.median / unit.nanoseconds), .measure(one.best / unit.nanoseconds),
        .ratio(one.ratio(to: measurements.of(baseline))),
      ])
    }
    return table
  }
}
