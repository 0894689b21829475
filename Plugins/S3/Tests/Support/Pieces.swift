import Foundation
import TestSupport

/// Bytes in pieces, which can fail at some position.
struct Pieces: AsyncSequence, AsyncIteratorProtocol {
  struct Failed: Error {}

  private var rest: Data
  private let size: Int
  private var left: Int
  private let gate: Gate?

  /// - Parameter gate: passed in place of the failure, before another byte.
  init(_ bytes: Data, _ size: Int, failingAt end: Int = .max, gate: Gate? = nil) {
    rest = bytes
    self.size = size
    left = end
    self.gate = gate
  }

  func makeAsyncIterator() -> Pieces { self }

  mutating func next() async throws -> Data? {
    if left == 0 {
      guard let gate else { throw Failed() }
      await gate.pass()
      return Data([0])
    }
    let part = rest.prefix(Swift.min(size, left))
    rest = rest.dropFirst(part.count)
    left -= part.count
    return part.isEmpty ? nil : part
  }
}
