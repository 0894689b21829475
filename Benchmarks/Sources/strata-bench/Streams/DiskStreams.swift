import BenchHarness
import Foundation
import StrataDisk

/// One value, written to `DiskStorage` and read again, and the same by `dd`.
struct DiskStreams {
  /// The size of the value in MiB.
  let size: Int
  let rounds: Int

  func run() throws -> (table: Table, aims: [Aim]) {
    var table = Table(["durability", "operation", "Strata", "dd", "ratio"])
    var aims: [Aim] = []
    for durability in [DiskDurability.process, .power] {
      let name = durability == .power ? "power" : "process"
      let times = try withTemporaryFolder { try measure(durability, in: $0) }
      for (operation, pair) in times where !pair.ours.isEmpty {
        table.add([
          .text(name), .text(operation), .measure(Double(size) / pair.ours.median),
          .measure(Double(size) / pair.theirs.median), .ratio(pair.ratio),
        ])
        aims.append(.atLeast(0.85, pair.ratio, "Streams, \(operation), \(name), against dd"))
      }
    }
    return (table, aims)
  }

  private func measure(
    _ durability: DiskDurability, in folder: URL
  ) throws -> [(operation: String, times: PairedTimes)] {
    let store = try DiskStorage<String>(
      config: DiskConfig(name: "store", directory: folder, durability: durability))
    let file = folder.appending(path: "file").path
    let sync = durability == .power ? ["conv=fsync"] : []
    let canDrop = try PageCache.canDrop(in: folder)
    var (writes, reads, coldReads) = (PairedTimes(), PairedTimes(), PairedTimes())
    for round in 0..<rounds {
      Progress.say("streams: round \(round + 1) of \(rounds)")
      try waiting { [store] in try await store.removeObject(forKey: "value") }
      unlink(file)
      try PageCache.flush(folder)
      try writes.add(round: round) {
        try waiting { [store, size] in
          try await store.write(forKey: "value", from: RepeatedPart(rest: size))
        }
      } theirs: {
        try dd(["if=/dev/zero", "of=\(file)", "bs=1M", "count=\(size)"] + sync)
      }
      try PageCache.flush(folder)
      try reads.add(round: round, ours: { try read(store) }, theirs: { try readByDD(file) })
      guard durability == .process, canDrop else { continue }
      try PageCache.drop(folder)
      try coldReads.add(round: round, ours: { try read(store) }, theirs: { try readByDD(file) })
    }
    return [("write", writes), ("read", reads), ("cold read", coldReads)]
  }

  private func read(_ store: DiskStorage<String>) throws {
    let count = try waiting {
      var count = 0
      for try await part in try await store.read(forKey: "value") { count += part.count }
      return count
    }
    if count != size << 20 { throw Failure("\(count) bytes were read of \(size) MiB") }
  }

  private func readByDD(_ file: String) throws { try dd(["if=\(file)", "of=/dev/null", "bs=1M"]) }

  private func dd(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["dd"] + arguments + ["status=none"]
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure("dd \(arguments.joined(separator: " ")) failed") }
  }
}
