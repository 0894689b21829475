import BenchHarness

/// The measurements of all sizes and numbers of entries, in one table.
struct DiskTable {
  private static let ratios = ["get", "put", "cold get", "cold put"]
  private(set) var table = Table(
    ["value", "entries", "store", "threads"] + Self.ratios.flatMap { [$0, "\($0), ratio"] })

  /// Adds microseconds, and the ratio to the bare call with the same number of entries and threads.
  mutating func add(_ timings: DiskTimings, _ label: String) {
    for count in timings.counts {
      for name in DiskPeer.allCases.map(\.rawValue) + [PythonDiskcache.name] {
        let store = "\(name), \(count)"
        for threads in DiskPeer.threads where timings.of(store, .get, threads: threads) != nil {
          var row: [Cell] = [.text(label), .count(count), .text(name), .count(threads)]
          for temperature in Temperature.allCases {
            for operation in DiskTimings.operations {
              let timing = timings.of(store, operation, threads: threads, temperature)
              let ratio = timings.ratio(
                store, Shelf.name(.bare, count), operation, threads: threads, temperature)
              row += [timing.map { .measure($0.median / 1_000) } ?? .none, ratio.map { .ratio($0) } ?? .none]
            }
          }
          table.add(row)
        }
      }
    }
  }

  /// Adds a row with the reason why there is no measurement.
  mutating func add(missing count: Int, _ label: String, bytes: Int) {
    let gigabytes = Cell.count(count * bytes / 1_000_000_000).shown
    table.add(
      [.text(label), .count(count), .text("not measured: \(gigabytes) GB for each")]
        + Array(repeating: Cell.none, count: table.columns.count - 3))
  }
}
