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
  private let fetch: @Sendable (Range<Int>) async throws -> Data
  private var rest: Range<Int>
  private var requests: [Task<Data, any Error>] = []
  private var current: Data

  /// - Parameters:
  ///   - beginning: the first bytes, if they have been received already.
  ///   - rest: the range of the bytes that follow.
  ///   - size: the largest number of bytes of a request.
  init(
    _ beginning: Data, _ rest: Range<Int>, size: Int,
    fetch: @escaping @Sendable (Range<Int>) async throws -> Data
  ) {
    current = beginning
    self.rest = rest
    self.size = max(size, 1)
    self.fetch = fetch
    request()
  }

  /// Cancels the requests whose bytes nobody needs any more.
  deinit { for task in requests { task.cancel() } }

  /// Returns the next bytes, or `nil` after the last ones.
  func next() async throws -> Data? {
    if current.isEmpty {
      guard let task = requests.first else { return nil }
      current = try await task.valueOrCancelled()
      requests.removeFirst()
      request()
    }
    let part = current.prefix(StoredBytes.partSize)
    current = current.dropFirst(part.count)
    // The slice would keep the memory of all bytes that have been returned.
    if current.isEmpty { current = Data() }
    return part
  }

  private func request() {
    while requests.count < Self.ahead, !rest.isEmpty {
      let range = rest.prefix(size)
      rest = range.upperBound..<rest.upperBound
      let fetch = fetch
      requests.append(
        Task { try await fetch(range.lowerBound..<range.upperBound) })
    }
  }
}
