import StrataCore

/// What has to go, and how much of it.
struct Shortage {
  /// Bytes on the disk: as soon as as many have been given back, nothing more has to go.
  var bytes = 0
  /// Bytes of entries, with the room they need: until they are given up, what nobody has read goes instead of being
  /// moved.
  var surplus = 0
  /// Whether everything goes.
  var isUrgent = false

  /// What packed entries take together with the dead bytes that must be among them: a tenth as many, with the room to
  /// empty a segment, and a sixteenth without it. The fewer these are, the more has to be moved to find them: at most
  /// sixteen times as much as is written.
  static func withDead(_ bytes: Int, reserve: Int) -> Int {
    max(bytes + bytes / 10, bytes + bytes / 16 + reserve)
  }

  /// Has an entry of so many bytes go.
  mutating func giveUp(_ bytes: Int) { surplus -= bytes + bytes / 16 }
}

extension LogSession {
  /// Makes room for what is about to be written, until the limit holds with it: entry by entry, the least recently used
  /// first.
  ///
  /// As long as there are enough dead bytes in the log, only these are given back, by moving what counts to its end.
  /// Beyond that, entries go that were not read since they were written or moved: a value's file at once, a packed
  /// value with its segment.
  func makeRoom(for records: [NewRecord], files: Int, _ writer: inout LogWriter) throws {
    let bytes = records.reduce(0) { $0 + $1.record.length }
    if bytes > LogOptions.maximumBatch {
      throw StorageError.tooLarge.with(
        "their keys and values would take \(bytes) bytes at once, and the log takes \(LogOptions.maximumBatch); do "
          + "it in several steps", place: folder.path)
    }
    guard let limit = options.limit else { return }
    let needed = bytes + records.count * LogView.costOfRecord + SegmentHeader.size + files
    // What is moved at once goes to one segment, and would end the last one early if it did not fit.
    let step = min(max(segmentSize / 4, 1 << 14), 1 << 18)
    let initial = control.logBytes
    var processed = 0
    while true {
      let evicted = writer.evicted(from: control.oldest)
      let (live, reserve) = view.withLock { ($0.liveBytes - evicted, $0.roomToEmpty(evicted: evicted)) }
      let excess = control.logBytes + control.fileBytes + needed + reserve - limit
      if excess <= 0 { break }
      let shortage = Shortage(
        bytes: excess,
        surplus: Shortage.withDead(live, reserve: reserve) + control.fileBytes + needed - limit,
        // Whoever goes on reading all of it must not keep a write from ending.
        isUrgent: processed > initial)
      guard let progress = try emptyOldest(step, shortage: shortage, &writer) else { break }
      processed += progress
    }
  }

  /// Looks at some bytes of the oldest segment, moves what counts to the end of the log, and deletes the segment at its
  /// end.
  ///
  /// With a shortage, entries are given up instead of being moved, and it ends as soon as there is none any more.
  ///
  /// Returns how many bytes it looked at; `nil` if the log is empty.
  func emptyOldest(_ budget: Int, shortage: Shortage? = nil, _ writer: inout LogWriter) throws -> Int? {
    let number = control.oldest
    let tail = control.tail
    if number > tail.segment || number == tail.segment && tail.offset <= SegmentHeader.size { return nil }
    if number == tail.segment { try startSegment() }
    guard let segment = try oldestSegment(number) else {
      // What it took of the limit is not known: the next change counts anew.
      writer.isUnfinished = true
      try dropOldest(number, length: 0)
      return 0
    }
    let end = try segment.length()
    let start = max(control.emptied, SegmentHeader.size)
    let reached = try move(from: segment, start, budget, end: end, shortage, &writer)
    control.emptied = reached
    control.seal()
    if reached >= end {
      try dropOldest(number, length: end)
      writer.listing = nil
    }
    return max(1, reached - start)
  }

  /// The oldest segment; `nil` if it is missing, or is none.
  private func oldestSegment(_ number: Int) throws -> Segment? {
    do {
      if let segment = try segments.segment(number) { return segment }
      // Another may have taken the log over, and emptied it.
      try holdPlace()
      note(lost([number]))
    } catch let flaw as EntryFlaw {
      try holdPlace()
      note(folder.setAsideSegment(number, flaw))
    }
    return nil
  }
}
