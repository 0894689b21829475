import StrataCore

/// The space to free, and how.
struct Shortage {
  /// Bytes to free on disk: once as many are freed, no more entries are evicted.
  var bytes = 0
  /// Bytes of entries to evict, with their overhead: until they are evicted, unread entries are evicted instead of
  /// moved.
  var surplus = 0
  /// Whether all entries are evicted, read or not.
  var isUrgent = false

  /// The bytes that packed entries need, including the dead bytes among them. With fewer dead bytes, more must be moved
  /// to reclaim them. If two ninths are dead and keys are replaced at random, twice as much is moved as written.
  static func withRoom(_ bytes: Int) -> Int { bytes + bytes / 9 * 2 }
}

extension LogSession {
  /// Makes room for a write, until the limit holds with it. Evicts one entry at a time, the least recently used first.
  ///
  /// As long as the log has enough dead bytes, only these are reclaimed, by moving live records to its end. Beyond
  /// that, entries that were not read since they were written or moved are evicted: a value's file at once, a packed
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
    // Moving a segment's records takes space before the segment is deleted; and the last segment gets its table.
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
        // Other processes that keep reading all entries must not keep a write from ending.
        isUrgent: processed > initial)
      guard let progress = try emptyOldest(1 << 18, shortage: shortage, &writer) else { break }
      processed += progress
    }
  }

  /// Returns the bytes that a new segment adds to the log, beside the record, if the record needs one.
  private func costOfNewSegment(for bytes: Int) -> Int {
    let tail = control.tail
    guard tail.offset >= SegmentContents.minimumSegment, tail.offset + bytes > segmentSize else { return 0 }
    return view.withLock { $0.contents.count } * IndexSlot.size + Record.headerSize + 16
  }

  /// Scans bytes of the oldest segment and moves live records to the end of the log. Deletes the segment when its end
  /// is reached.
  ///
  /// With a shortage, entries are evicted instead of moved, and the scan stops once the shortage is covered.
  ///
  /// Returns how many bytes were scanned; `nil` if the log is empty.
  func emptyOldest(_ budget: Int, shortage: Shortage? = nil, _ writer: inout LogWriter) throws -> Int? {
    let number = control.oldest
    let tail = control.tail
    if number > tail.segment || number == tail.segment && tail.offset <= SegmentHeader.size { return nil }
    if number == tail.segment { try startSegment() }
    guard let segment = try oldestSegment(number) else {
      // Its share of the limit is unknown, so the next change recounts the log.
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

  /// Returns the oldest segment; `nil` if it is missing or not a sound segment.
  private func oldestSegment(_ number: Int) throws -> Segment? {
    do {
      if let segment = try segments.segment(number) { return segment }
      // Another process may have rebuilt the control file, and emptied the segment.
      try holdPlace()
      note(lost([number]))
    } catch let flaw as EntryFlaw {
      try holdPlace()
      note(folder.setAsideSegment(number, flaw))
    }
    return nil
  }
}
