/// How far this process has read the log, and what it makes of it. The keys themselves are in the index.
struct LogView: Sendable {
  /// What a record costs beside its own bytes: its line in the table of contents.
  static let costOfRecord = IndexSlot.size

  var position: LogPosition
  /// The number of the oldest segment that counts here.
  var oldest: Int
  /// The slots of all records of the newest segment, for its table of contents.
  var contents: [IndexSlot] = []
  /// The bytes of the records that count, by segment: first those of `oldest`.
  private var live: [Int] = []
  /// The sum of all `live`.
  private(set) var liveBytes = 0

  init(oldest: Int) {
    position = LogPosition(segment: oldest, offset: 0)
    self.oldest = oldest
  }

  var span: LogSpan { LogSpan(oldest: oldest, newest: position.segment) }

  /// The room that it takes to empty the oldest segment, of which so many bytes were given up, and each of the next
  /// few: what counts in one is appended before it is deleted, and the last segment gets its table.
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

  /// Goes on to a segment, of which nothing has been read yet.
  mutating func enter(_ segment: Int) {
    position = LogPosition(segment: segment, offset: 0)
    contents = []
  }

  /// Forgets the segments before another.
  mutating func advance(oldest: Int) {
    guard oldest > self.oldest else { return }
    let gone = live.prefix(oldest - self.oldest)
    liveBytes -= gone.reduce(0, +)
    live.removeFirst(gone.count)
    self.oldest = oldest
  }
}
