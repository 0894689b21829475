import BenchHarness
import Foundation
import Strata

/// Writes through to disk.
struct ChainWrites {
  let operations: Int

  private static let plain = "files: JSONEncoder, write(.atomic)"

  func measure(_ folder: URL, _ report: inout Report) throws {
    Progress.say("chain: writes")
    let keys = [String](numbers: 0..<operations)
    let files = PlainFiles<Reading>(folder: folder.appending(path: "written"))
    try FileManager.default.createDirectory(at: files.folder, withIntermediateDirectories: true)
    func disk(_ name: String) throws -> DiskStorage<String> {
      try DiskStorage(config: DiskConfig(name: name, directory: folder))
    }
    let bytes = SyncStore(store: try disk("bytes"))
    let typed = SyncStore(store: try disk("typed").transform(to: Reading.self))
    let storage = Storage<String, Reading>(
      front: MemoryStorage(), back: try disk("both"), transformer: .codable(Reading.self))
    let reading = Reading(number: 7)
    let data = try JSONEncoder().encode(reading)

    let found = try Comparison(operations: operations, rounds: 7).run([
      Contender(Self.plain) { _, _ in try files.write(reading, forKeys: keys) },
      Contender("DiskStorage, bytes") { _, _ in try bytes.write(data, forKeys: keys) },
      Contender("DiskStorage.transform(to:)") { _, _ in try typed.write(reading, forKeys: keys) },
      Contender("Storage(memory, disk)") { _, _ in
        try SyncStore(store: storage).write(reading, forKeys: keys)
      },
      Contender("AsyncStorage(memory, disk)") { _, _ in
        try AsyncStore(store: storage.async).write(reading, forKeys: keys)
      },
    ])
    report.add(
      "Write",
      "The same struct, encoded and put on disk over the one before; nobody waits for the disk itself.",
      table: ChainSuite.table(found, baseline: Self.plain, unit: ("µs", 1000)))
  }
}
