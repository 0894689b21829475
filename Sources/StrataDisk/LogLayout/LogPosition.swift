/// A position in the log.
struct LogPosition: Hashable, Sendable {
  var segment: Int
  /// The offset in the segment; 0 if the segment does not exist yet.
  var offset: Int

  init(segment: Int, offset: Int) {
    self.segment = segment
    self.offset = offset
  }

  init(bits: UInt64) { self.init(segment: Int(bits >> 24), offset: Int(bits & (1 << 24 - 1)) << 3) }

  var bits: UInt64 { UInt64(segment) << 24 | UInt64(offset >> 3) }
}
