import BenchHarness
import Foundation

/// Different, incompressible values of one length. A store might skip or shorten writes of values that are equal or
/// compressible.
struct Values: Sendable {
  let first: Data
  private let all: [Data]

  init(_ count: Int, size: Int) {
    all = (0..<count).map { number in
      var generator = SplitMix64(seed: UInt64(number))
      // Every part of a value differs, since a store may compare page by page.
      return Data((0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    }
    first = all[0]
  }

  subscript(number: Int) -> Data { all[number % all.count] }
}
