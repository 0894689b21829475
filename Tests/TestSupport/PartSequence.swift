package import Foundation

/// Bytes as a sequence of parts. Before the part at an offset something may happen.
package struct PartSequence: AsyncSequence, Sendable {
  private let data: Data
  private let size: Int
  private let offset: Int
  private let action: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - offset: where `action` is called: before the part that begins there, or before the end. It may throw, cancel
  ///     the task, or wait.
  package init(
    _ data: Data, by size: Int = 70_000, at offset: Int = .max,
    _ action: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.data = data
    self.size = size
    self.offset = offset
    self.action = action
  }

  package func makeAsyncIterator() -> Iterator { Iterator(sequence: self, rest: data) }

  package struct Iterator: AsyncIteratorProtocol {
    let sequence: PartSequence
    var rest: Data

    package mutating func next() async throws -> Data? {
      let left = sequence.offset - (sequence.data.count - rest.count)
      if left == 0 { try await sequence.action() }
      let part = rest.prefix(left > 0 ? Swift.min(sequence.size, left) : sequence.size)
      rest = rest.dropFirst(part.count)
      return part.isEmpty ? nil : part
    }
  }
}
