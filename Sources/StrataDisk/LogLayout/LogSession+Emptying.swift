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

  /// What packed entries take together with the dead bytes that must be among them. The fewer these are, the more has
  /// to be moved to find them: twice as much as is written, where two ninths are dead and keys are replaced at random.
  static func withRoom(_ bytes: Int) -> Int { bytes + bytes / 9 * 2 }
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
    let needed = bytes + SegmentHeader.size + files
    // Moving a segment's records takes room, before its own is given back; and the last segment gets its table.
    let reserve = segmentSize / 4 * 5
    let budget = max(limit - reserve, min(limit, needed))
    let initial = control.logBytes
    var processed = 0
    while true {
      let excess = control.logBytes + control.fileBytes + needed + costOfNewSegment(for: bytes) - budget
      if excess <= 0 { break }
      let live = Shortage.withRoom(view.withLock { $0.liveBytes } - writer.evicted) + control.fileBytes
      let shortage = Shortage(
        bytes: excess, surplus: live + needed - (limit - reserve),
        // Whoever goes on reading all of it must not keep a write from ending.
        isUrgent: processed > initial)
      guard let progress = try emptyOldest(1 << 18, shortage: shortage, &writer) else { break }
      processed += progress
    }
  }

  /// What the log grows by, beside a record, if the record begins a new segment.
  private func costOfNewSegment(for bytes: Int) -> Int {
    let tail = control.tail
    guard tail.offset >= SegmentContents.minimumSegment, tail.offset + bytes > segmentSize else { return 0 }
    return view.withLock { $0.contents.count } * IndexSlot.size + Record.headerSize + 16
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
      writer.evicted = 0
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
