extension RESPDecoder {
  /// An aggregate whose elements are being received.
  struct Frame {
    /// The type of an aggregate, by its first byte.
    enum Kind: UInt8 {
      case array = 0x2A
      case map = 0x25
      case set = 0x7E
      case push = 0x3E
      /// Metadata of the value that follows; this client never requests it.
      case attribute = 0x7C

      /// The number of values per element.
      var width: Int { self == .map || self == .attribute ? 2 : 1 }

      /// Returns the reply with these elements; `nil` for an attribute.
      func value(_ elements: [RESPValue]) -> RESPValue? {
        switch self {
        case .array: .array(elements)
        case .map: .map(elements)
        case .set: .set(elements)
        case .push: .push(elements)
        case .attribute: nil
        }
      }
    }

    private let kind: Kind
    private let count: Int
    private var received = 0
    private var elements: [RESPValue] = []

    init(_ kind: Kind, _ count: Int) {
      self.kind = kind
      self.count = count
      // The server's count is unverified, so at most 256 elements are reserved.
      elements.reserveCapacity(min(count, 256))
    }

    var isComplete: Bool { received == count }
    var isPush: Bool { kind == .push }
    var value: RESPValue? { kind.value(elements) }

    mutating func append(_ value: RESPValue, isDropped: Bool) {
      received += 1
      if !isDropped { elements.append(value) }
    }

    /// Discards the received elements.
    mutating func drop() { elements = [] }
  }
}
