/// Reads records of a segment from front to back: short ones many at a time, long ones one by one.
struct SegmentReader {
  private static let ahead = 1 << 16
  private static let short = 1 << 12
  private let segment: Segment
  private let end: Int
  private var memory: [UInt8]
  /// The part of the segment that has been read into `memory`.
  private var part = 0..<0

  /// - Parameters:
  ///   - end: Where the segment ends.
  ///   - memory: The memory of another reader, which is used again.
  init(_ segment: Segment, end: Int, memory: [UInt8] = []) {
    self.segment = segment
    self.end = end
    self.memory = memory
  }

  /// Returns the memory for another reader; none if it is unusually large.
  consuming func takeMemory() -> [UInt8] { memory.count > Self.ahead ? [] : memory }

  /// Passes the bytes of a record to `body`, or fewer if the segment ends before.
  mutating func withBytes<R>(
    of location: Location, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    let upper = min(location.offset + location.length, end)
    if location.offset < part.lowerBound || upper > part.upperBound {
      let ahead = location.length <= Self.short ? Self.ahead : location.length
      try read(location.offset..<max(location.offset, min(location.offset + ahead, end)))
    }
    let first = location.offset - part.lowerBound
    return try memory.withUnsafeBytes {
      try body($0.part(first..<min(first + location.length, part.count)))
    }
  }

  private mutating func read(_ range: Range<Int>) throws {
    if memory.count < range.count { memory = [UInt8](repeating: 0, count: max(range.count, Self.ahead)) }
    part = range.lowerBound..<range.lowerBound
    let count = try memory.withUnsafeMutableBytes {
      try segment.file.read(into: $0.part(0..<range.count), at: range.lowerBound)
    }
    part = range.lowerBound..<range.lowerBound + count
  }
}
