import BenchHarness
import Foundation

/// The one-time cost of opening a closed store and finishing its first read.
struct FirstReads {
  private let size: DiskSuite.Size
  private let shelves: [Shelf]
  private let warm: [Timing]
  private let cold: [Timing]

  init(_ size: DiskSuite.Size, _ shelves: [Shelf], canDrop: Bool, isQuick: Bool) throws {
    self.size = size
    self.shelves = shelves
    let comparison = Comparison(operations: 1, rounds: isQuick ? 1 : 5, warmUps: 1)
    func measure(isCold: Bool) throws -> [Timing] {
      try comparison.run(
        shelves.map { shelf in
          let draw = Draw(1, of: shelf.count, seed: 4)
          return Contender(
            shelf.name,
            prepare: {
              shelf.close()
              if isCold { try PageCache.drop(shelf.folder) }
            }
          ) { thread, _ in try shelf.opened().read(draw, thread) }
        })
    }
    warm = try measure(isCold: false)
    cold = canDrop ? try measure(isCold: true) : []
  }

  func add(to report: inout Report) {
    var table = Table(["store", "opened and read, ms", "opened and read, cold, ms"])
    for shelf in shelves {
      let cells = [warm, cold].map { timings -> Cell in
        timings.isEmpty ? .none : .measure(timings.of(shelf.name).median / 1e6)
      }
      table.add([.text(shelf.peer.rawValue)] + cells)
    }
    let count = Cell.count(size.counts.last ?? 0).shown
    report.add(
      "Opened anew: \(count) entries of \(size.label)",
      "The time from opening a closed store to the end of its first read; cold, with none of its files in the system's memory.",
      table: table)
    guard size.isSmall else { return }
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
