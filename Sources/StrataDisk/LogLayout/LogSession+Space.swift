import StrataCore

/// How the oldest segment of the log is emptied.
private struct Emptying {
  /// Whether what nobody has read goes with the segment, instead of being moved to the log's end.
  var evicts = false
  /// Whether everything goes.
  var evictsAll = false
}

extension LogSession {
  /// Makes room for what is about to be written, by emptying segments, the oldest first, until the limit holds with it.
  ///
  /// Records that count are moved to the end of the log as long as three quarters of the limit are enough for all of them;
  /// beyond that, only those that were read since they were written or moved.
  func makeRoom(for records: [NewRecord], files: Int, _ writer: inout LogWriter) throws {
    let bytes = records.reduce(0) { $0 + $1.record.length }
    if bytes > LogOptions.maximumBatch {
      throw StorageError.tooLarge.with(
        "their keys and values would take \(bytes) bytes at once, and the log takes \(LogOptions.maximumBatch); do "
          + "it in several steps", place: folder.path)
    }
    guard let limit = options.limit else { return }
    let needed = bytes + SegmentHeader.size + files
    // Moving a segment's records takes room, before its own is given back: twice a segment, for their lines in a table of contents.
    let reserve = 2 * segmentSize
    let budget = max(limit - reserve, min(limit, needed))
    let initial = control.logBytes
    var processed = 0
    while control.logBytes + control.fileBytes + needed + costOfNewSegment(for: bytes) > budget {
      let live = view.withLock { $0.liveBytes } + control.fileBytes
      let emptying = Emptying(
        evicts: live + needed > (limit - reserve) / 4 * 3,
        // Whoever goes on reading all of it must not keep a write from ending.
        evictsAll: processed > initial)
      guard let progress = try emptyOldest(1 << 18, emptying, &writer) else { break }
      processed += progress
    }
  }

  /// What the log grows by, beside a record, if the record begins a new segment.
  private func costOfNewSegment(for bytes: Int) -> Int {
    let tail = control.tail
    guard tail.offset >= SegmentContents.minimumSegment, tail.offset + bytes > segmentSize else { return 0 }
    return view.withLock { $0.contents.count } * IndexSlot.size + Record.headerSize + 16
  }

  /// Gives back space if more than half of the log is taken by what does not count any more.
  ///
  /// Of what is the oldest, four times as many bytes are looked at as have been written or count no more: so the log is emptied
  /// faster than it grows or what counts shrinks, and never takes more than about three times what counts.
  func tidy(_ writer: inout LogWriter) throws {
    guard writer.debt >= 1 << 16 else { return }
    let live = view.withLock { $0.liveBytes }
    guard live > 0 else {
      writer.debt = 0
      return try removeSegments()
    }
    let size = segmentSize
    guard control.logBytes > 2 * (live + size) else { return writer.debt = 0 }
    // What is more than a segment waits for the next writes: none has to wait for much.
    let step = min(writer.debt, size)
    writer.debt -= step
    _ = try emptyOldest(4 * step, Emptying(), &writer)
  }

  /// Looks at some bytes of the oldest segment, moves what counts to the end of the log, and deletes the segment at its end.
  ///
  /// Returns how many bytes it looked at; `nil` if the log is empty.
  private func emptyOldest(_ budget: Int, _ emptying: Emptying, _ writer: inout LogWriter) throws -> Int? {
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
    let reached = try move(from: segment, start, budget, end: end, emptying, &writer)
    control.emptied = reached
    control.seal()
    if reached >= end { try dropOldest(number, length: end) }
    return max(1, reached - start)
  }

  /// The oldest segment; `nil` if it is missing, or is none.
  private func oldestSegment(_ number: Int) throws -> Segment? {
    do {
      if let segment = try segments.segment(number) { return segment }
      note(lost([number]))
    } catch let flaw as EntryFlaw {
      note(folder.setAsideSegment(number, flaw))
    }
    return nil
  }

  /// Moves what counts of a part of the oldest segment; returns where the part ends.
  private func move(
    from segment: Segment, _ start: Int, _ budget: Int, end: Int, _ emptying: Emptying,
    _ writer: inout LogWriter
  ) throws -> Int {
    var step = EmptyingStep(
      room: room(), clock: options.clock, isEvicting: emptying.evicts, isEvictingAll: emptying.evictsAll)
    let reached = try segment.forEachRecord(from: start, atLeast: min(end - start, budget), end: end) {
      item, bytes in
      let offset = item.range.lowerBound
      guard let record = item.record else {
        return note(folder.keepDamage(Array(bytes), of: segment, at: offset, "no record can be read there"))
      }
      guard let slot = currentSlot(record, bytes, at: offset, of: segment.number) else { return }
      if case .spoiled = item {
        return note(
          folder.keepDamage(Array(bytes), of: segment, at: offset, "the checksum of a value does not match"))
      }
      step.take(record, bytes, isUsed: slot.location.isMarked)
    }
    for key in step.evicted where !options.old.isEmpty { try options.old.remove(key) }
    if !step.records.isEmpty {
      try append(step.records, files: -step.files.reduce(0) { $0 + $1.size }, &writer)
      delete(step.files, &writer)
    }
    return reached
  }

  /// How many bytes may be moved.
  private func room() -> Int {
    options.limit.map { $0 - control.logBytes - control.fileBytes - 2 * SegmentHeader.size } ?? .max
  }

  /// Deletes the oldest segment: what still counts in it counts no more.
  private func dropOldest(_ number: Int, length: Int) throws {
    try checkPlace()
    if options.durability == .power { try sync(upTo: control.tail) }
    control.oldest = number + 1
    control.emptied = 0
    control.logBytes -= length
    control.seal()
    view.withLock { advance(to: number + 1, &$0) }
    try removeSegment(number)
    if options.durability == .power { try folder.sync() }
  }

  /// Forgets the segments before another.
  func advance(to oldest: Int, _ view: inout LogView) {
    let marks = LogSpan.longestStep
    let passes = oldest / marks > view.oldest / marks
    view.advance(oldest: oldest)
    // In time before a number comes again modulo 2¹⁹.
    if passes { index.dropAll(outside: LogSpan(oldest: oldest, newest: max(oldest, control.tail.segment))) }
  }

  /// Removes everything from the log.
  func removeSegments() throws {
    try checkPlace()
    let numbers = try folder.segmentNumbers()
    let next = control.tail.segment + 1
    view.withLock { view in
      control.oldest = next
      control.tail = LogPosition(segment: next, offset: 0)
      control.logBytes = 0
      control.emptied = 0
      control.seal()
      view.advance(oldest: next)
      view.enter(next)
      setReplayed(view.position, &view)
      index.dropAll(outside: LogSpan(oldest: next, newest: next))
    }
    for number in numbers { try removeSegment(number) }
  }

  /// Removes everything. Values that are files of their own go after the log that names them.
  ///
  /// If it throws, all is there or nothing, and the next change deletes the files that could not be deleted.
  func removeAll() throws {
    try change { writer in
      writer.isUnfinished = true
      try removeSegments()
      if options.durability == .power { try folder.sync() }
      control.fileBytes = 0
      control.seal()
      for name in try folder.values.names(where: { EntryName.valueNumber($0) != nil }) {
        try folder.values.remove(name)
      }
      try options.old.removeAll()
      try folder.removeLeftovers()
      if options.durability == .power { try folder.sync() }
      writer.isUnfinished = false
    }
  }

  /// Adds up the values that are files of their own, and deletes those that no record names: somebody died before it was written.
  ///
  /// If the log has been damaged, the record may have been lost with it; then they are moved to `Damaged`.
  func recountFiles(keepingOrphans: Bool = false) throws {
    if control.isReadOnly { return }
    try checkPlace()
    let names = try folder.values.names { EntryName.valueNumber($0) != nil }
    var named: Set<String> = []
    if !names.isEmpty {
      try index.forEach { slots in
        for slot in slots where slot.location.isFile && control.span.contains(slot.location) {
          if let file = try valueFile(at: slot.location) { named.insert(file.name) }
        }
      }
    }
    // The record that replaced what an orphan holds may have been written by one who died before it was stable.
    if !keepingOrphans, !named.isSuperset(of: names) { try syncAll() }
    var sum = 0
    for name in names {
      if named.contains(name) {
        sum += try FileStatus(of: folder.values.path(of: name))?.size ?? 0
      } else if keepingOrphans {
        _ = try folder.setAside(name, from: folder.values)
      } else {
        try folder.values.remove(name)
      }
    }
    control.fileBytes = sum
    control.seal()
  }
}

/// What one step of emptying a segment writes.
private struct EmptyingStep {
  var room: Int
  let clock: StorageClock
  let isEvicting: Bool
  let isEvictingAll: Bool
  var records: [NewRecord] = []
  /// The keys of those that are evicted.
  var evicted: [[UInt8]] = []
  /// Their files.
  var files: [ValueFile] = []

  /// Decides about a record that counts.
  mutating func take(_ record: Record, _ bytes: UnsafeRawBufferPointer, isUsed: Bool) {
    let key = Array(bytes.part(record.keyRange))
    let isKept = !isEvictingAll && (!isEvicting || isUsed) && !record.expiry.isExpired(by: clock)
    let cost = record.length + LogView.costOfRecord
    if isKept, cost <= room {
      room -= cost
      var moved = record
      moved.batchOffset = 0
      records.append(NewRecord(record: moved, key: key, value: .bytes(Array(bytes.part(record.valueRange)))))
      return
    }
    evicted.append(key)
    if record.kind == .file, let file = ValueFile(bytes.part(record.valueRange)) {
      // The record goes with its segment; but the file goes now, and nobody may look for it.
      records.append(.removal(key))
      files.append(file)
    }
  }
}
