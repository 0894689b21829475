import Foundation

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
