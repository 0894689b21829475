#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Reads a range of bytes by several requests. The next ones are sent before their bytes are needed, so that the
/// latency of a server does not add up.
final class RangeReader {
  /// The number of requests that are sent ahead.
  private static let ahead = 2

  private let size: Int
  private var checks: PartChecks?
  private let fetch: @Sendable (Range<Int>) async throws -> Data
  private var rest: Range<Int>
  private var requests: [(start: Int, task: Task<Data, any Error>)] = []
  private var current: Data

  /// - Parameters:
  ///   - beginning: the first bytes, if they have been received already.
  ///   - rest: the range of the bytes that follow.
  ///   - size: the largest number of bytes of a request.
  ///   - checks: the checks of the bytes. Ranges then end where parts end, so that a part of up to `size` bytes is
  ///     verified before any of them is returned.
  init(
    _ beginning: Data, _ rest: Range<Int>, size: Int, checks: PartChecks? = nil,
    fetch: @escaping @Sendable (Range<Int>) async throws -> Data
  ) {
    current = beginning
    self.rest = rest
    self.size = max(size, 1)
    self.checks = checks
    self.fetch = fetch
    request()
  }

  /// Cancels the requests whose bytes nobody needs any more.
  deinit { for request in requests { request.task.cancel() } }

  /// Returns the next bytes, or `nil` after the last ones.
  func next() async throws -> Data? {
    if current.isEmpty {
      guard let (start, task) = requests.first else { return nil }
      let bytes = try await task.valueOrCancelled()
      requests.removeFirst()
      request()
      try checks?.add(bytes, at: start)
      current = bytes
    }
    let part = current.prefix(StoredBytes.partSize)
    current = current.dropFirst(part.count)
    // The slice would keep the memory of all bytes that have been returned.
    if current.isEmpty { current = Data() }
    return part
  }

  private func request() {
    while requests.count < Self.ahead, !rest.isEmpty {
      let end = checks?.end(ofPartAt: rest.lowerBound) ?? rest.upperBound
      let range = rest.prefix(min(size, end - rest.lowerBound))
      rest = range.upperBound..<rest.upperBound
      let fetch = fetch
      requests.append(
        (range.lowerBound, Task { try await fetch(range.lowerBound..<range.upperBound) }))
    }
  }
}
