/// The error for bytes that are not a CBOR item, with the offset and the reason.
struct CBORFlaw: Error {
  let offset: Int
  let reason: String
}

/// Checks an input in one pass before it is decoded. Later reads need no checks of lengths and depths.
enum CBORScan {
  /// Checks that the bytes are exactly one item, nested no deeper than `depthLimit`, with every length within the
  /// input.
  ///
  /// Takes time proportional to the number of items, and memory proportional to the depth.
  ///
  /// - Returns: whether the item contains one of indefinite length.
  static func check(_ input: CBORBytes, depthLimit: Int) throws(CBORFlaw) -> Bool {
    try isPlain(input) ? false : checkAll(input, depthLimit: depthLimit)
  }

  /// Checks any input, and finds the flaw.
  static func checkAll(_ input: CBORBytes, depthLimit: Int) throws(CBORFlaw) -> Bool {
    guard input.count > 0 else { throw CBORFlaw(offset: 0, reason: "there are no bytes") }
    var scan = Pass(base: input.base, count: input.count, depthLimit: depthLimit)
    try scan.run()
    if scan.at < input.count {
      throw CBORFlaw(offset: scan.at, reason: "\(input.count - scan.at) bytes follow the item")
    }
    return scan.hasIndefinite
  }

  /// Returns the offset behind the item at `offset`, in checked bytes without indefinite lengths.
  @inline(__always)
  static func end(of offset: Int, in base: UnsafePointer<UInt8>) -> Int {
    let head = CBORHead(at: base + offset)
    switch head.major {
    case MajorType.unsigned, MajorType.negative, MajorType.simple: return offset + head.size
    case MajorType.bytes, MajorType.text: return offset + head.size + Int(truncatingIfNeeded: head.number)
    default: return end(of: 1, itemsAt: offset, in: base)
    }
  }

  /// Returns the offset behind a number of items.
  static func end(of items: Int, itemsAt offset: Int, in base: UnsafePointer<UInt8>) -> Int {
    var (left, at) = (items, offset)
    while left > 0 {
      left -= 1
      let head = CBORHead(at: base + at)
      at += head.size
      let number = Int(truncatingIfNeeded: head.number)
      switch head.major {
      case MajorType.bytes, MajorType.text: at += number
      case MajorType.array: left += number
      case MajorType.map: left += 2 * number
      case MajorType.tag: left += 1
      default: break
      }
    }
    return at
  }
}

/// The state of one pass.
private struct Pass {
  /// The number of items that a container still lacks; `nil` for a container that ends with a stop byte.
  private struct Level {
    var left: Int
    var isIndefinite = false
    var isMap = false
  }

  let base: UnsafePointer<UInt8>
  let count: Int
  let depthLimit: Int
  private(set) var at = 0
  private(set) var hasIndefinite = false
  private var levels: [Level] = []
  /// The innermost level, in a property of its own since it changes with every item.
  private var level = Level(left: 1)

  init(base: UnsafePointer<UInt8>, count: Int, depthLimit: Int) {
    (self.base, self.count, self.depthLimit) = (base, count, depthLimit)
  }

  mutating func run() throws(CBORFlaw) {
    while true {
      while level.left == 0 && !level.isIndefinite {
        guard let outer = levels.popLast() else { return }
        level = outer
      }
      try item()
    }
  }

  private mutating func item() throws(CBORFlaw) {
    guard at < count else { throw flaw("the bytes end where an item should begin") }
    let first = base[at]
    if first == SimpleByte.end { return try stop() }
    if level.isIndefinite { level.left += 1 } else { level.left -= 1 }
    let info = first & 31
    let size = info < 24 ? 1 : info < 28 ? 1 + 1 << (info - 24) : 1
    guard info < 28 || info == 31 else { throw flaw("the byte \(first) begins no item") }
    guard count - at >= size else { throw flaw("the bytes end in the middle of a head") }
    let head = CBORHead(at: base + at)
    if info == 31 { return try indefinite(head) }
    let start = at
    at += size
    switch head.major {
    case MajorType.bytes, MajorType.text:
      guard head.number <= UInt64(count - at) else {
        throw CBORFlaw(offset: start, reason: "a string of \(head.number) bytes, but \(count - at) are left")
      }
      at += Int(head.number)
    case MajorType.array: try descend(head.number, isMap: false, from: start)
    case MajorType.map: try descend(head.number, isMap: true, from: start)
    case MajorType.tag:
      guard at < count else { throw CBORFlaw(offset: start, reason: "a tag is not followed by an item") }
      try push(Level(left: 1), from: start)
    case MajorType.simple:
      // A simple value below 32 in two bytes is not well-formed.
      if info == 24 && head.number < 32 {
        throw CBORFlaw(offset: start, reason: "the simple value \(head.number) is encoded in two bytes")
      }
    default: break
    }
  }

  private mutating func descend(_ number: UInt64, isMap: Bool, from start: Int) throws(CBORFlaw) {
    // An item takes at least one byte, so a count above the number of remaining bytes is refused at once.
    let left = UInt64(count - at)
    guard number <= (isMap ? left / 2 : left) else {
      throw CBORFlaw(offset: start, reason: "a container of \(number) elements, but \(left) bytes are left")
    }
    try push(Level(left: isMap ? 2 * Int(number) : Int(number), isMap: isMap), from: start)
  }

  private mutating func push(_ next: Level, from start: Int) throws(CBORFlaw) {
    guard levels.count < depthLimit else {
      throw CBORFlaw(offset: start, reason: "items are nested deeper than \(depthLimit) levels")
    }
    levels.append(level)
    level = next
  }

  private mutating func indefinite(_ head: CBORHead) throws(CBORFlaw) {
    hasIndefinite = true
    let start = at
    at += 1
    switch head.major {
    case MajorType.array: try push(Level(left: 0, isIndefinite: true), from: start)
    case MajorType.map: try push(Level(left: 0, isIndefinite: true, isMap: true), from: start)
    case MajorType.bytes, MajorType.text: try chunks(of: head.major)
    default: throw CBORFlaw(offset: start, reason: "the byte \(base[start]) begins no item")
    }
  }

  /// Checks the pieces of a string of indefinite length. Each is a string of the same type with a definite length.
  private mutating func chunks(of major: UInt8) throws(CBORFlaw) {
    while true {
      guard at < count else { throw flaw("the bytes end within a string of indefinite length") }
      let first = base[at]
      if first == SimpleByte.end {
        at += 1
        return
      }
      let info = first & 31
      guard first >> 5 == major, info < 28 else { throw flaw("a piece of a string is of another type") }
      let size = info < 24 ? 1 : 1 + 1 << (info - 24)
      guard count - at >= Int(size) else { throw flaw("the bytes end in the middle of a head") }
      let head = CBORHead(at: base + at)
      guard head.number <= UInt64(count - at - head.size) else {
        throw flaw("a string of \(head.number) bytes, but \(count - at - head.size) are left")
      }
      at += head.size + Int(head.number)
    }
  }

  /// Checks that a stop byte ends a container of indefinite length.
  private mutating func stop() throws(CBORFlaw) {
    guard level.isIndefinite else { throw flaw("a stop byte where an item should begin") }
    if level.isMap && level.left % 2 == 1 { throw flaw("a key without a value ends the map") }
    at += 1
    guard let outer = levels.popLast() else { throw flaw("a stop byte where an item should begin") }
    level = outer
  }

  private func flaw(_ reason: String) -> CBORFlaw { CBORFlaw(offset: at, reason: reason) }
}
