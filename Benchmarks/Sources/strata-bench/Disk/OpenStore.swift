import BenchHarness
import Foundation

/// The entries that a run requests, by number and by key.
struct Draw: Sendable {
  let numbers: [Int]
  let keys: [String]

  init(_ numbers: [Int]) {
    self.numbers = numbers
    keys = [String](numbers: numbers)
  }

  /// Draws from the first `count` entries with equal probability.
  init(_ length: Int, of count: Int, seed: Int) {
    self.init(KeySequence.uniform(length, of: count, seed: UInt64(seed)))
  }
}

/// An open store. Each closure is the loop of a whole run, created where the store's type is known, so that the
/// compiler specialises it.
struct OpenStore: Sendable {
  let read: @Sendable (Draw, _ thread: Int) throws -> Int
  let write: @Sendable (Data, Draw, _ thread: Int) throws -> Int
  /// Stores entries, in batches if the store supports them.
  let fill: @Sendable (Data, Draw) throws -> Void

  init(_ store: some ByteStore) {
    read = { try store.read($0.keys, $1) }
    write = { try store.write($0, $1.keys, $2) }
    fill = { value, draw in
      let step = 1_000
      for start in stride(from: 0, to: draw.keys.count, by: step) {
        _ = try store.writeBatches(value, [Array(draw.keys[start..<min(start + step, draw.keys.count)])], 0)
      }
    }
  }

  init(_ log: BareLog) {
    read = { draw, _ in try log.read(draw.numbers) }
    write = { value, draw, _ in try log.append(value, draw.numbers.count) }
    fill = { value, draw in _ = try log.append(value, draw.numbers.count) }
  }
}
