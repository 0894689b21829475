extension RESPDecoder {
  /// A reply made of others, while they come.
  struct Frame {
    /// What is made of the elements, by the byte that announces it.
    enum Kind: UInt8 {
      case array = 0x2A
      case map = 0x25
      case set = 0x7E
      case push = 0x3E
      /// What a server says about the value that follows; nobody here asks for any.
      case attribute = 0x7C

      /// How many values an element has.
      var width: Int { self == .map || self == .attribute ? 2 : 1 }

      /// The reply that the elements are; an attribute is none.
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
      // Not more: the number was only said so far.
      elements.reserveCapacity(min(count, 256))
    }

    var isComplete: Bool { received == count }
    var isPush: Bool { kind == .push }
    var value: RESPValue? { kind.value(elements) }

    mutating func append(_ value: RESPValue, isDropped: Bool) {
      received += 1
      if !isDropped { elements.append(value) }
    }

    /// Lets go of what has come.
    mutating func drop() { elements = [] }
  }
}
