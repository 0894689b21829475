import BenchHarness
import Foundation
import Strata

/// The time from a write of one client until the memory of another has dropped the old entry.
struct Announcements {
  /// The microseconds until a write has returned, one number per round.
  private(set) var acknowledged: [Double] = []
  /// The microseconds until the reader's memory has dropped the entry, one number per round.
  private(set) var told: [Double] = []

  /// Measures both times in a number of rounds.
  init(writer: AsyncStorage<String, Int>, reader: AsyncStorage<String, Int>, rounds: Int) throws {
    try waiting { try await writer.setObject(-1, forKey: "a") }
    for round in 0..<rounds {
      let old = try waiting {
        while true {
          _ = try await reader.object(forKey: "a")
          if let entry = reader.peek(forKey: "a") { return entry.object }
        }
      }
      let watch = Stopwatch()
      let acknowledgement = Task.detached {
        try await writer.setObject(round, forKey: "a")
        return watch.nanoseconds
      }
      while reader.peek(forKey: "a")?.object == old { sched_yield() }
      told.append(Double(watch.nanoseconds) / 1_000)
      acknowledged.append(Double(try waiting { try await acknowledgement.value }) / 1_000)
    }
  }

  /// The distributions of both times.
  var table: Table {
    var table = Table(["since the write was called, µs", "50 %", "99 %", "99.9 %"])
    for (name, times) in [
      ("the writer has its answer", acknowledged), ("the other has dropped the entry", told),
    ] {
      table.add([.text(name)] + [0.5, 0.99, 0.999].map { .measure(times.percentile($0)) })
    }
    return table
  }
}
