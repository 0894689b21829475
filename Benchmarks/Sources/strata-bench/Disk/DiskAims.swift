import BenchHarness

/// The targets for `DiskStorage` with values of one size, warm and with one thread.
struct DiskAims {
  let size: DiskSuite.Size
  let timings: DiskTimings

  func add(to report: inout Report) {
    if size.isSmall {
      for count in size.counts { addBare(count, put: 3, get: 2, &report) }
      if let most = size.counts.last { addPeers(most, &report) }
      addGrowth(&report)
    } else if size.bytes >= DiskPeer.large {
      for count in size.counts { addBare(count, put: 1.25, get: 1.25, &report) }
    }
  }

  private func what(_ count: Int, _ operation: Operation, _ peer: String) -> String {
    "DiskStorage, \(Cell.count(count).shown) × \(size.label), \(operation.rawValue), against \(peer)"
  }

  private func addBare(_ count: Int, put: Double, get: Double, _ report: inout Report) {
    for (operation, bound) in [(Operation.put, put), (.get, get)] {
      let (disk, bare) = (Shelf.name(.disk, count), Shelf.name(.bare, count))
      if let ratio = timings.ratio(disk, bare, operation) {
        report.add(.atMost(bound, ratio, what(count, operation, DiskPeer.bare.rawValue)))
      }
    }
  }

  private func addPeers(_ most: Int, _ report: inout Report) {
    for peer in [DiskPeer.lmdb, .rocksdb] {
      if let ratio = timings.ratio(Shelf.name(.disk, most), Shelf.name(peer, most), .put) {
        report.add(.atMost(1, ratio, what(most, .put, peer.rawValue)))
      }
    }
    for name in [DiskPeer.sqlite.rawValue, DiskPeer.sqliteAsItComes.rawValue, PythonDiskcache.name] {
      // Some peers are not measured with as many entries.
      guard let count = size.counts.last(where: { timings.of("\(name), \($0)", .put) != nil }) else {
        continue
      }
      if let ratio = timings.ratio(Shelf.name(.disk, count), "\(name), \(count)", .put) {
        report.add(.atLeast(8, 1 / ratio, "\(what(count, .put, name)), times as fast"))
      }
    }
  }

  private func addGrowth(_ report: inout Report) {
    let counts = size.counts.map { Cell.count($0).shown }
    let range = "from \(counts.first ?? "") to \(counts.last ?? "") entries of \(size.label)"
    for operation in DiskTimings.operations {
      if let growth = timings.growth(.disk, operation) {
        report.add(.atMost(1.5, growth, "DiskStorage, growth of a \(operation.rawValue) \(range)"))
      }
    }
    // Fetching from a larger amount of memory takes longer for every contender.
    if let growth = timings.growth(.disk, .get), let bare = timings.growth(.bare, .get) {
      report.add(
        .atMost(1, growth / bare, "DiskStorage, growth of a get \(range), against that of a bare call's"))
    }
  }
}
