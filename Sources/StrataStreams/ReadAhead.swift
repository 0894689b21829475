#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Reads the parts of a value: at once, as long as they are in memory, and otherwise on the threads of a pool, a few
/// parts ahead of the reader.
package struct ReadAhead {
  /// The number of parts that are read at a time. Two threads read and verify as fast as one copies bytes; the third
  /// part is ready when the reader asks for it.
  private static let depth = 3

  private let pool: BlockingPool
  private let cached: (@Sendable (Int) throws -> Data?)?
  private let read: @Sendable (Int) throws -> Data
  private var rest: Range<Int>
  private var jobs: [PendingJob<(data: Data, wasCached: Bool)>] = []
  /// Whether the last part that was read was in memory. Then the next one probably is, and changing threads would take
  /// longer than copying it.
  private var areCached = true

  /// - Parameters:
  ///   - cached: returns the bytes of a part if that does not block; `nil` if reading them always may.
  ///   - read: returns the bytes of a part.
  package init(
    _ parts: Range<Int>, on pool: BlockingPool, cached: (@Sendable (Int) throws -> Data?)? = nil,
    _ read: @escaping @Sendable (Int) throws -> Data
  ) {
    rest = parts
    self.pool = pool
    self.cached = cached
    self.read = read
  }

  /// Returns the next part, or `nil` after the last one.
  package mutating func next() async throws -> Data? {
    if jobs.isEmpty, areCached, let cached, let part = rest.first, let data = try cached(part) {
      rest = rest.dropFirst()
      return data
    }
    while jobs.isEmpty || !areCached || cached == nil, jobs.count < Self.depth, let part = rest.popFirst() {
      areCached = false
      jobs.append(
        PendingJob(on: pool) { [read, cached] in
          if let data = try cached?(part) { return (data, true) }
          return (try read(part), false)
        })
    }
    if jobs.isEmpty { return nil }
    let (data, wasCached) = try await jobs.removeFirst().value()
    areCached = wasCached
    return data
  }
}
