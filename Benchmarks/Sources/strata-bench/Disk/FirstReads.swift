import BenchHarness
import Foundation

/// What is paid once: the first read after opening, and reads of what is on the disk alone.
struct Reopening {
  let shelves: [Shelf]
  let isQuick: Bool

  private var comparison: Comparison { Comparison(operations: 1, rounds: isQuick ? 1 : 5, warmUps: 1) }

  /// Microseconds a get, with none of the files in the system's memory.
  func coldReads() throws -> [Timing] {
    let length = isQuick ? 5 : 50
    return try comparison.run(
      shelves.map { shelf in
        let draw = Draw(length, of: shelf.count, seed: 3)
        return Contender(shelf.name, operations: length, prepare: { try shelf.openCold() }) { thread, _ in
          try shelf.opened().read(draw, thread)
        }
      })
  }

  /// From opening a store that is closed to the end of the first read.
  func firstReads(isCold: Bool) throws -> [Timing] {
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
}
