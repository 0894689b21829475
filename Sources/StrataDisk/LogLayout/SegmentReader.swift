/// Reads records of a segment from front to back: short ones many at a time, long ones one by one.
struct SegmentReader {
  private static let ahead = 1 << 16
  private static let short = 1 << 12
  private let segment: Segment
  private let end: Int
  private var bytes: [UInt8] = []
  /// The offset of `bytes` in the segment.
  private var start = 0

  /// - Parameter end: Where the segment ends.
  init(_ segment: Segment, end: Int) {
    self.segment = segment
    self.end = end
  }

  /// Passes the bytes of a record to `body`, or fewer if the segment ends before.
  mutating func withBytes<R>(
    of location: Location, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    let upper = min(location.offset + location.length, end)
    if location.offset < start || upper > start + bytes.count {
      let ahead = location.length <= Self.short ? Self.ahead : location.length
      start = location.offset
      bytes = try segment.bytes(start..<max(start, min(end, start + ahead)))
    }
    let first = location.offset - start
    return try bytes.withUnsafeBytes {
      try body($0.part(first..<min(first + location.length, $0.count)))
    }
  }
}
