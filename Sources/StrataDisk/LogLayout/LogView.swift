/// The position up to which this process has read the log, and the counts of live bytes. The index holds the keys.
struct LogView: Sendable {
  /// The overhead of a record beyond its own bytes: its slot in the table of contents.
  static let costOfRecord = IndexSlot.size

  var position: LogPosition
  /// The slots of all records of the newest segment, for its table of contents.
  var contents: [IndexSlot] = []
  /// The bytes of the live records of each segment. A process that may not write counts too many: it does not subtract
  /// the records that were replaced before it opened the log.
  var live: SegmentSums

  init(oldest: Int) {
    position = LogPosition(segment: oldest, offset: 0)
    live = SegmentSums(oldest: oldest)
  }

  /// The number of the oldest segment whose records are live here.
  var oldest: Int { live.oldest }
  /// The bytes of all live records.
  var liveBytes: Int { live.total }

  var span: LogSpan { LogSpan(oldest: oldest, newest: position.segment) }

  /// Returns the space for emptying the oldest segment, of which the given bytes were evicted, and each of the next
  /// few. A segment's live records are appended before it is deleted, and the last segment gets its table.
  func roomToEmpty(evicted: Int) -> Int {
    let tables = contents.count * Self.costOfRecord + 4 * (SegmentHeader.size + Record.headerSize + 16)
    let next = live.others.prefix(3).max() ?? 0
    return max(next, live.first - evicted) + tables
  }

  mutating func count(_ location: Location, in span: LogSpan, sign: Int) {
    let segment = span.segment(of: location)
    guard segment <= span.newest else { return }
    live.add(sign * location.cost, to: segment)
  }

  /// Moves the position to the beginning of a segment.
  mutating func enter(_ segment: Int) {
    position = LogPosition(segment: segment, offset: 0)
    contents = []
  }

  /// Forgets the segments before a given one.
  mutating func advance(oldest: Int) { live.advance(oldest: oldest) }
}
