/// A number of bytes for each segment of the log.
struct SegmentSums: Sendable {
  /// The number of the first segment.
  private(set) var oldest: Int
  private var bytes: [Int] = []
  /// The sum of all.
  private(set) var total = 0

  init(oldest: Int) { self.oldest = oldest }

  /// The bytes of the first segment.
  var first: Int { bytes.first ?? 0 }
  /// The bytes of all segments but the first.
  var others: ArraySlice<Int> { bytes.dropFirst() }

  /// Adds bytes to a segment. Segments before the first one are not counted.
  @inline(__always)
  mutating func add(_ count: Int, to segment: Int) {
    guard segment >= oldest else { return }
    while bytes.count <= segment - oldest { bytes.append(0) }
    bytes[segment - oldest] += count
    total += count
  }

  mutating func subtract(_ other: SegmentSums) {
    for (i, count) in other.bytes.enumerated() where count != 0 { add(-count, to: other.oldest + i) }
  }

  /// Forgets the segments before a given one.
  mutating func advance(oldest: Int) {
    guard oldest > self.oldest else { return }
    let gone = bytes.prefix(oldest - self.oldest)
    total -= gone.reduce(0, +)
    bytes.removeFirst(gone.count)
    self.oldest = oldest
  }
}
