import BenchHarness
import Foundation

/// `DiskStorage` against the least that could work, databases, and what programs use without either.
enum DiskSuite: Suite {
  static let name = "disk"
  static let summary = "DiskStorage against bare system calls, SQLite, LMDB, RocksDB, Foundation, diskcache"
  static let options = [Option("large", help: "1 000 000 entries as well, of 100 B")]

  /// Values of one size, and how many of them there are in turn.
  private struct Size {
    let label: String
    let bytes: Int
    let counts: [Int]
    var isSmall: Bool { bytes <= 1_000 }
  }

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    let largest = isQuick ? 2_000 : 100_000
    let sizes = [
      Size(
        label: "100 B", bytes: 100,
        counts: [1_000, largest] + (arguments.has("large") ? [isQuick ? 5_000 : 1_000_000] : [])),
      Size(label: "1 kB", bytes: 1_000, counts: [1_000, largest]),
      Size(label: "10 kB", bytes: 10_000, counts: [1_000]),
      Size(label: "1 MB", bytes: DiskPeer.large, counts: [isQuick ? 5 : 50]),
    ]
    var report = Report("Disk")
    try withTemporaryFolder { folder in
      Progress.say("disk: looking for Python's diskcache")
      let python = Result { try Python.withDiskcache(in: folder) }
      if case .failure(let error) = python { Progress.say("disk: diskcache is left out: \(error)") }
      for size in sizes {
        try withTemporaryFolder { try measure(size, python, in: $0, isQuick: isQuick, &report) }
      }
    }
    try Amplification(isQuick: isQuick).measure(&report)
    return report
  }

  private static func measure(
    _ size: Size, _ python: Result<Python, any Error>, in folder: URL, isQuick: Bool, _ report: inout Report
  ) throws {
    Progress.say("disk: values of \(size.label)")
    // One for each round of a measurement, and one that is there before.
    let values = Values(10, size: size.bytes)
    let shelves = try DiskPeer.allCases.flatMap { peer in
      try size.counts.filter(peer.keeps).map { try Shelf(peer, count: $0, value: values.first, in: folder) }
    }
    defer { for shelf in shelves { shelf.close() } }
    var warm = WarmTimings(counts: size.counts, isQuick: isQuick)
    let found: Python? = if case .success(let python) = python { python } else { nil }
    try warm.measure(shelves, values, found, in: folder)
    report.add("Gets and puts: \(size.label)", text(python), table: warm.table)
    if size.isSmall {
      addSmallAims(warm, size, &report)
      addGrowth(warm, size, &report)
    } else if size.bytes >= DiskPeer.large {
      for operation in WarmTimings.operations {
        if let ratio = warm.ratio(name(.disk, size), name(.bare, size), operation) {
          report.add(
            .atMost(1.25, ratio, "DiskStorage, \(size.label), \(operation.rawValue), against plain files"))
        }
      }
    }
    try addReopening(
      shelves.filter { $0.peer.reopens && $0.count == size.counts.last }, size, isQuick, folder, &report)
  }

  private static func text(_ python: Result<Python, any Error>) -> String {
    let python =
      switch python {
      case .success: "diskcache times itself, in a process of its own, after the others."
      case .failure(let error): "Python's diskcache was not there to be measured: \(error)."
      }
    return """
      µs an operation, threads together, and how many times that of the bare call; what is read is in the system's memory. Every put is one \
      over another, with a new value, of a key drawn uniformly; none waits for the disk. Bare calls: a `write` to the end of an open file and a `pread` \
      into memory that is there already, and for 1 MB a plain file made anew and read into memory of its own. \
      Foundation: `Data(contentsOf:)` and `write(options: .atomic)`, not with more than 1 000 files. \(python)
      """
  }

  private static func name(_ peer: DiskPeer, _ size: Size) -> String {
    Shelf.name(peer, size.counts.last ?? 0)
  }

  /// With as many entries as there are.
  private static func addSmallAims(_ warm: WarmTimings, _ size: Size, _ report: inout Report) {
    let disk = name(.disk, size)
    func what(_ operation: Operation, _ peer: String) -> String {
      "DiskStorage, \(Cell.count(size.counts.last ?? 0).shown) × \(size.label), \(operation.rawValue), against \(peer)"
    }
    for (operation, bound) in [(Operation.put, 3.0), (.get, 2.0)] {
      if let ratio = warm.ratio(disk, name(.bare, size), operation) {
        report.add(.atMost(bound, ratio, what(operation, DiskPeer.bare.rawValue)))
      }
    }
    for peer in [DiskPeer.lmdb, .rocksdb] {
      if let ratio = warm.ratio(disk, name(peer, size), .put) {
        report.add(.atMost(1, ratio, what(.put, peer.rawValue)))
      }
    }
    // Python's is measured with no more entries than it fills in some seconds.
    let pythons = "\(PythonDiskcache.name), \(min(size.counts.last ?? 0, 100_000))"
    for (peer, label) in [(name(.sqlite, size), DiskPeer.sqlite.rawValue), (pythons, PythonDiskcache.name)] {
      if let ratio = warm.ratio(disk, peer, .put) {
        report.add(.atLeast(8, 1 / ratio, "\(what(.put, label)), times as fast"))
      }
    }
  }

  private static func addGrowth(_ warm: WarmTimings, _ size: Size, _ report: inout Report) {
    var table = Table(["store", "get, ratio", "put, ratio"])
    for peer in DiskPeer.allCases {
      let ratios = WarmTimings.operations.compactMap { warm.growth(peer, $0) }
      if ratios.count == 2 { table.add([.text(peer.rawValue)] + ratios.map { .ratio($0) }) }
    }
    let range = size.counts.map { Cell.count($0).shown }
    let title = "from \(range.first ?? "") to \(range.last ?? "") entries of \(size.label)"
    report.add(
      "Growth, \(title)", "How many times the time an operation takes, with one thread.", table: table)
    for operation in WarmTimings.operations {
      if let ratio = warm.growth(.disk, operation) {
        report.add(.atMost(1.5, ratio, "DiskStorage, growth of a \(operation.rawValue) \(title)"))
      }
    }
  }

  private static func addReopening(
    _ shelves: [Shelf], _ size: Size, _ isQuick: Bool, _ folder: URL, _ report: inout Report
  ) throws {
    let reopening = Reopening(shelves: shelves, isQuick: isQuick)
    let canDrop = try PageCache.canDrop(in: folder)
    let warm = try reopening.firstReads(isCold: false)
    let cold = canDrop ? try reopening.firstReads(isCold: true) : []
    let reads = canDrop ? try reopening.coldReads() : []
    var table = Table(["store", "cold get, µs", "opened and read, ms", "opened and read, cold, ms"])
    for shelf in shelves {
      func cell(_ timings: [Timing], _ unit: Double) -> Cell {
        timings.isEmpty ? .none : .measure(timings.of(shelf.name).median / unit)
      }
      table.add([.text(shelf.peer.rawValue), cell(reads, 1e3), cell(warm, 1e6), cell(cold, 1e6)])
    }
    let count = Cell.count(size.counts.last ?? 0).shown
    let dropped =
      canDrop
      ? "Cold: the system was told to drop the files from its memory, which a disk behind it may still have in its own."
      : "Nothing is said of cold reads: this file system does not drop files from the system's memory."
    report.add(
      "Opened anew: \(count) entries of \(size.label)",
      """
      A get of what is on the disk alone, and the time from opening a closed store to the end of its first read. \(dropped) \
      RocksDB is left out: its contender begins a new database each time.
      """, table: table)
    if size.isSmall {
      let seconds = (warm + cold).filter { $0.name == Shelf.name(.disk, size.counts.last ?? 0) }.map {
        $0.median / 1e9
      }
      let slowest = seconds.max() ?? .nan
      report.add(
        .holds(
          slowest < 1, "\(Cell.measure(slowest).shown) s",
          "DiskStorage, \(count) × \(size.label), opened and read once: less than 1 s"))
    }
  }
}
