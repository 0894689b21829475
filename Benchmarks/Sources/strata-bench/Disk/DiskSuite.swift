import BenchHarness
import Foundation

/// Compares `DiskStorage` with bare system calls, with databases, and with the usual solutions without a library.
enum DiskSuite: Suite {
  static let name = "disk"
  static let summary = "DiskStorage against bare system calls, SQLite, LMDB, RocksDB, Foundation, diskcache"
  static let options = [
    Option("large", help: "also 100 000 entries of 10 kB and 1 000 of 1 MB: 1 GB for each store")
  ]

  /// A size of values, and the numbers of entries to measure.
  struct Size {
    let label: String
    let bytes: Int
    let counts: [Int]
    /// The numbers of entries that would take too much disk space.
    let missing: [Int]
    var isSmall: Bool { bytes <= 1_000 }

    static func all(isQuick: Bool, isLarge: Bool) -> [Size] {
      let small = isQuick ? [1_000, 2_000] : [1_000, 100_000, 1_000_000]
      return [
        Size(label: "100 B", bytes: 100, counts: small, missing: []),
        Size(label: "1 kB", bytes: 1_000, counts: small, missing: []),
        Size(
          label: "10 kB", bytes: 10_000,
          counts: [isQuick ? 50 : 1_000] + (isLarge ? [isQuick ? 100 : 100_000] : []),
          missing: (isLarge ? [] : [100_000]) + [1_000_000]),
        Size(
          label: "1 MB", bytes: DiskPeer.large, counts: [isQuick ? 5 : isLarge ? 1_000 : 100],
          missing: (isLarge ? [] : [1_000]) + [100_000, 1_000_000]),
      ]
    }
  }

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    var report = Report("Disk")
    var found: [(size: Size, timings: DiskTimings, firstReads: FirstReads)] = []
    var problem = ""
    try withTemporaryFolder { folder in
      Progress.say("disk: looking for Python's diskcache")
      let python: Python?
      do { python = try Python.withDiskcache(in: folder) } catch {
        python = nil
        problem = "Python's diskcache could not be installed, and was not measured: \(error)."
      }
      for size in Size.all(isQuick: isQuick, isLarge: arguments.has("large")) {
        let (timings, reads) = try withTemporaryFolder {
          try measure(size, python, in: $0, isQuick: isQuick)
        }
        found.append((size, timings, reads))
      }
    }
    addTable(found.map { ($0.size, $0.timings) }, problem, &report)
    for (size, timings, _) in found { addGrowth(timings, size, &report) }
    for (size, timings, reads) in found {
      DiskAims(size: size, timings: timings).add(to: &report)
      reads.add(to: &report)
    }
    try Amplification(isQuick: isQuick).measure(&report)
    return report
  }

  private static func measure(
    _ size: Size, _ python: Python?, in folder: URL, isQuick: Bool
  ) throws -> (DiskTimings, FirstReads) {
    Progress.say("disk: values of \(size.label)")
    let canDrop = try PageCache.canDrop(in: folder)
    // One value for each round of a measurement, and one for the initial entries.
    let values = Values(10, size: size.bytes)
    let shelves = try DiskPeer.allCases.flatMap { peer in
      try size.counts.filter(peer.keeps).map { try Shelf(peer, count: $0, value: values.first, in: folder) }
    }
    defer { for shelf in shelves { shelf.close() } }
    var timings = DiskTimings(counts: size.counts, isQuick: isQuick)
    try timings.measure(shelves, values, python, canDrop: canDrop, in: folder)
    let last = shelves.filter { $0.count == size.counts.last }
    return (timings, try FirstReads(size, last, canDrop: canDrop, isQuick: isQuick))
  }

  private static func addTable(
    _ found: [(size: Size, timings: DiskTimings)], _ problem: String, _ report: inout Report
  ) {
    var table = DiskTable()
    for (size, timings) in found {
      table.add(timings, size.label)
      for count in size.missing { table.add(missing: count, size.label, bytes: size.bytes) }
    }
    report.add(
      "Gets and puts",
      """
      µs an operation, threads together, and how many times that of the bare call with as many entries and threads. Every put is one over another, \
      with a new value, of a key drawn uniformly. Cold: the store has just been opened, and then the system was told to drop all of its files from \
      its memory, which a disk behind it may still have in its own; a put then pays for all that it has to read before it can write. \
      Bare calls: a `write` to the end of an open file and a `pread` into memory that is there already, and for 1 MB a plain file made anew and read \
      into memory of its own. SQLite, WAL: with a log and `synchronous=NORMAL`, which promises what the others do; as it comes: with a journal, and \
      each put waits for the disk, as no other does; not with more than 100 000 entries. \
      Foundation: `Data(contentsOf:)` and `write(options: .atomic)`, not with more than 1 000 files. \
      diskcache times itself, in a process of its own, after the others, with at most 100 000 entries. \
      `--large` measures what takes 1 GB. \(problem)
      """, table: table.table)
  }

  private static func addGrowth(_ timings: DiskTimings, _ size: Size, _ report: inout Report) {
    guard let first = size.counts.first, let last = size.counts.last, first != last else { return }
    var table = Table(["store", "get, ratio", "put, ratio"])
    for peer in DiskPeer.allCases {
      let ratios = DiskTimings.operations.compactMap { timings.growth(peer, $0) }
      if ratios.count == 2 { table.add([.text(peer.rawValue)] + ratios.map { .ratio($0) }) }
    }
    report.add(
      "Growth, from \(Cell.count(first).shown) to \(Cell.count(last).shown) entries of \(size.label)",
      "How many times the time a warm operation takes, with one thread.", table: table)
  }
}
