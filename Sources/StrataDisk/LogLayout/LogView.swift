/// The position up to which this process has read the log, and the counts of live bytes. The index holds the keys.
struct LogView: Sendable {
  /// The overhead of a record beyond its own bytes: its slot in the table of contents.
  static let costOfRecord = IndexSlot.size

  var position: LogPosition
  /// The number of the oldest segment whose records are live here.
  var oldest: Int
  /// The slots of all records of the newest segment, for its table of contents.
  var contents: [IndexSlot] = []
  /// The bytes of the live records of each segment, starting with `oldest`.
  private var live: [Int] = []
  /// The sum of all `live`.
  private(set) var liveBytes = 0

  init(oldest: Int) {
    position = LogPosition(segment: oldest, offset: 0)
    self.oldest = oldest
  }

  var span: LogSpan { LogSpan(oldest: oldest, newest: position.segment) }

  /// Returns the space for emptying the oldest segment, of which the given bytes were evicted, and each of the next
  /// few. A segment's live records are appended before it is deleted, and the last segment gets its table.
  func roomToEmpty(evicted: Int) -> Int {
    let tables = contents.count * Self.costOfRecord + 4 * (SegmentHeader.size + Record.headerSize + 16)
    let next = live.dropFirst().prefix(3).max() ?? 0
    return max(next, (live.first ?? 0) - evicted) + tables
  }

  mutating func count(_ location: Location, in span: LogSpan, sign: Int) {
    let segment = span.segment(of: location)
    guard segment <= span.newest else { return }
    let bytes = sign * (location.length + Self.costOfRecord)
    while live.count <= segment - oldest { live.append(0) }
    live[segment - oldest] += bytes
    liveBytes += bytes
  }

  /// Moves the position to the beginning of a segment.
  mutating func enter(_ segment: Int) {
    position = LogPosition(segment: segment, offset: 0)
    contents = []
  }

  /// Forgets the segments before a given one.
  mutating func advance(oldest: Int) {
    guard oldest > self.oldest else { return }
    let gone = live.prefix(oldest - self.oldest)
    liveBytes -= gone.reduce(0, +)
    live.removeFirst(gone.count)
    self.oldest = oldest
  }
}
