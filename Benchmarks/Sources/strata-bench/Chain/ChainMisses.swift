import BenchHarness
import Foundation
import Strata

/// Reads of values that are on disk only.
struct ChainMisses {
  let operations: Int

  private static let count = 1_000
  private static let plain = "files: Data(contentsOf:), JSONDecoder"

  func measure(_ folder: URL, _ report: inout Report) throws {
    Progress.say("chain: misses in memory")
    let keys = [String](numbers: 0..<Self.count)
    let draws = (0..<operations).map { keys[$0 % Self.count] }
    let files = PlainFiles<Reading>(folder: folder.appending(path: "files"))
    try FileManager.default.createDirectory(at: files.folder, withIntermediateDirectories: true)
    let disk = try DiskStorage<String>(config: DiskConfig(name: "misses", directory: folder))
    let bytes = SyncStore(store: disk)
    let typed = SyncStore(store: disk.transform(to: Reading.self))
    // The limit evicts each key before its next read.
    let storage = Storage<String, Reading>(
      front: MemoryStorage(config: MemoryConfig(countLimit: 1)), back: disk,
      transformer: .codable(Reading.self))
    for (number, key) in keys.enumerated() {
      try files.store(Reading(number: number), forKey: key)
      try typed.store(Reading(number: number), forKey: key)
    }

    let found = try Comparison(operations: operations, rounds: 9).run([
      Contender(Self.plain) { _, _ in try files.read(draws) },
      Contender("DiskStorage, bytes") { _, _ in try bytes.read(draws) },
      Contender("DiskStorage.transform(to:)") { _, _ in try typed.read(draws) },
      Contender("Storage(memory, disk)") { _, _ in try SyncStore(store: storage).read(draws) },
      Contender("AsyncStorage(memory, disk)") { _, _ in try AsyncStore(store: storage.async).read(draws) },
    ])
    report.add(
      "Miss in memory, hit on disk",
      """
      The same struct as JSON in one of \(Cell.count(Self.count).shown) files, which the system has in its own memory; a \
      memory tier of one entry, which each read replaces.
      """,
      table: ChainSuite.table(found, baseline: Self.plain, unit: ("µs", 1000)))
  }
}
