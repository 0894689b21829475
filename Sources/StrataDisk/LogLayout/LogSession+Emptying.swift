#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// The space to free, and how.
struct Shortage {
  /// Bytes to free on disk: once as many are freed, no more entries are evicted.
  var bytes = 0
  /// Bytes of entries to evict, with their overhead: until they are evicted, unread entries are evicted instead of
  /// moved.
  var surplus = 0
  /// The surplus up to which no file of at least twice as many bytes is evicted. The dead bytes make up for it. Without
  /// it, a few bytes too many would evict the largest entry. With it, up to 27 bytes are moved for each byte written.
  var tolerance = 0
  /// Whether all entries are evicted, read or not.
  var isUrgent = false

  /// Returns the bytes that packed entries need, including the dead bytes among them. These are a tenth of the entries'
  /// bytes with the reserve for emptying a segment, and a sixteenth without it. With fewer dead bytes, more must be
  /// moved to reclaim them: at most sixteen times as much as is written.
  static func withDead(_ bytes: Int, reserve: Int) -> Int {
    max(bytes + bytes / 10, bytes + bytes / 16 + reserve)
  }

  /// Returns whether an entry that was not read is evicted instead of moved.
  ///
  /// - Parameter fileSize: The bytes of its file, if its value has one.
  func evicts(fileSize: Int) -> Bool { surplus > min(tolerance, fileSize / 2) }

  /// Records the eviction of an entry of this many bytes.
  mutating func giveUp(_ bytes: Int) { surplus -= bytes + bytes / 16 }
}

extension LogSession {
  /// Makes room for a write, until the limit holds with it. Evicts one entry at a time, the least recently used first.
  ///
  /// As long as the log has enough dead bytes, only these are reclaimed, by moving live records to its end. Beyond
  /// that, entries that were not read since they were written or moved are evicted: a value's file at once, a packed
  /// value with its segment.
  ///
  /// - Parameters:
  ///   - files: The bytes of the files that the records name.
  ///   - keepsFiles: Whether the records name the same files as the records that they replace. Otherwise, the replaced
  ///     files are deleted with the write, and their bytes count as free.
  func makeRoom(
    for records: [NewRecord], files: Int, keepsFiles: Bool = false, _ writer: inout LogWriter
  ) throws {
    let bytes = records.reduce(0) { $0 + $1.record.length }
    if bytes > LogOptions.maximumBatch {
      throw StorageError.tooLarge.with(
        "the batch would take \(bytes) bytes, and the log accepts \(LogOptions.maximumBatch) at once: divide the "
          + "batch", place: folder.path)
    }
    if bytes > options.lengthLimit.segment { throw SystemError("pwrite", folder.path, EFBIG) }
    guard let limit = options.limit else { return }
    let needed = bytes + records.count * LogView.costOfRecord + SegmentHeader.size + files
    try evictOld(
      for: records, needed - (keepsFiles || control.fileBytes == 0 ? 0 : fileBytes(of: records)), limit)
    // The records of one step go to one segment. If they did not fit, the last segment would end early.
    let step = min(max(segmentSize / 4, 1 << 14), 1 << 18)
    let initial = control.logBytes
    var processed = 0
    while true {
      let evicted = writer.evicted(from: control.oldest)
      let (live, reserve) = view.withLock { ($0.liveBytes - evicted, $0.roomToEmpty(evicted: evicted)) }
      if control.logBytes + control.fileBytes + needed + reserve <= limit { break }
      // A replaced file may be evicted here, and then the write does not free its bytes any more.
      let freed = keepsFiles || control.fileBytes == 0 ? 0 : try fileBytes(of: records)
      let files = control.fileBytes + needed - freed
      let excess = control.logBytes + files + reserve - limit
      if excess <= 0 { break }
      let shortage = Shortage(
        bytes: excess,
        surplus: Shortage.withDead(live, reserve: reserve) + files - limit, tolerance: live / 40,
        // Other processes that keep reading all entries must not keep a write from ending.
        isUrgent: processed > initial)
      guard let progress = try emptyOldest(step, shortage: shortage, &writer) else { break }
      processed += progress
    }
  }

  /// Evicts files of Cache, none of which was read in this store, so that a write of some bytes keeps within the limit.
  private func evictOld(for records: [NewRecord], _ needed: Int, _ limit: Int) throws {
    guard let files = options.old.ofCache, case let known = try files.knownBytes, known > 0 else { return }
    let reserve = view.withLock { $0.roomToEmpty(evicted: 0) }
    let excess = control.logBytes + control.fileBytes + known + needed + reserve - limit
    if excess > 0 { try files.evict(excess, sparing: records.flatMap { CacheFile.names(of: $0.key) }) }
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
      // The segment's share of the limit is unknown, so the next change recounts the log.
      writer.isUnfinished = true
      try dropOldest(number, length: 0)
      return 0
    }
    let end = try segment.length()
    // A segment that another program has cut may end before the part that is left.
    let start = min(end, max(control.emptied, SegmentHeader.size))
    let budget = min(budget, options.lengthLimit.step)
    let reached = try move(from: segment, start, budget, end: end, shortage, &writer)
    control.emptied = reached
    control.seal()
    if reached >= end {
      try dropOldest(number, length: end)
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
