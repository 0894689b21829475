#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A sequence of parts of a value, of many sizes, which may fail or cancel its task in the middle.
struct PartSource: AsyncSequence, Sendable {
  typealias Element = Data

  /// The error of a source that fails.
  struct Failed: Error, Equatable {}

  /// What happens in place of a part.
  enum Event: Sendable, CaseIterable {
    case failure, cancellation
  }

  /// Sizes of parts, which do not divide a store's: parts without bytes and of one byte among them.
  static let sizes = [0, 1, 63, 0, 4097, 100_000, 65_536, (1 << 20) + 1, 7, 300_000]

  private let value: Data
  private let sizes: [Int]
  private let event: Event?
  private let place: Int

  /// Creates a sequence of all bytes of a value, in slices of it, whose indices do not begin at 0.
  ///
  /// - Parameters:
  ///   - sizes: the sizes of the parts, repeated as often as needed.
  ///   - event: what happens when `place` bytes have been returned.
  init(_ value: Data, sizes: [Int] = Self.sizes, _ event: Event? = nil, at place: Int = 0) {
    self.value = value
    self.sizes = sizes
    self.event = event
    self.place = place
  }

  func makeAsyncIterator() -> Iterator { Iterator(source: self, rest: value) }

  struct Iterator: AsyncIteratorProtocol {
    let source: PartSource
    var rest: Data
    private var number = 0

    init(source: PartSource, rest: Data) {
      self.source = source
      self.rest = rest
    }

    mutating func next() async throws -> Data? {
      if let event = source.event, source.value.count - rest.count >= source.place {
        switch event {
        case .failure: throw Failed()
        case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      if rest.isEmpty { return nil }
      let part = rest.prefix(source.sizes[number % source.sizes.count])
      number += 1
      rest = rest.dropFirst(part.count)
      return part
    }
  }
}
