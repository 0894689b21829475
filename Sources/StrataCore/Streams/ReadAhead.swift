#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Reads the parts of a value on the threads of a pool, a few parts ahead of the reader.
package struct ReadAhead {
  /// The number of parts that are read at a time. Two threads read and verify as fast as one copies bytes; the third
  /// part is ready when the reader asks for it.
  private static let depth = 3

  private let pool: BlockingPool
  private let read: @Sendable (Int) throws -> Data
  private var rest: Range<Int>
  private var jobs: [PendingJob<Data>] = []

  /// - Parameter read: returns the bytes of a part.
  package init(_ parts: Range<Int>, on pool: BlockingPool, _ read: @escaping @Sendable (Int) throws -> Data) {
    rest = parts
    self.pool = pool
    self.read = read
  }

  /// Returns the numbers of the parts of a length that contain the bytes of a range.
  package static func parts(of range: Range<Int>, _ length: Int) -> Range<Int> {
    range.lowerBound / length..<(range.upperBound + length - 1) / length
  }

  /// Returns the next part, or `nil` after the last one.
  package mutating func next() async throws -> Data? {
    while jobs.count < Self.depth, let part = rest.popFirst() {
      jobs.append(PendingJob(on: pool) { [read] in try read(part) })
    }
    return jobs.isEmpty ? nil : try await jobs.removeFirst().value()
  }
}
