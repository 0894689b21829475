import Foundation

/// Bytes as a sequence of parts.
struct Chunks: AsyncSequence {
  private let bytes: Data
  private let step: Int

  init(_ bytes: Data, _ step: Int) {
    self.bytes = bytes
    self.step = step
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes, step: step) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var rest: Data
    fileprivate let step: Int

    mutating func next() async -> Data? {
      if rest.isEmpty { return nil }
      defer { rest = rest.dropFirst(step) }
      return rest.prefix(step)
    }
  }
}

/// The same bytes, many times.
struct Repeated: AsyncSequence {
  private let bytes: Data
  private let count: Int

  init(_ bytes: Data, _ count: Int) {
    self.bytes = bytes
    self.count = count
  }

  func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes, rest: count) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let bytes: Data
    fileprivate var rest: Int

    mutating func next() async -> Data? {
      if rest == 0 { return nil }
      rest -= 1
      return bytes
    }
  }
}
