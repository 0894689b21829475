import StrataCore

/// The table of contents of a full segment: the slots of its entries, by offset.
struct SegmentListing: Sendable {
  let number: Int
  let slots: [IndexSlot]

  init(_ number: Int, _ slots: [IndexSlot]) {
    self.number = number
    // A removal in the oldest segment hides nothing.
    self.slots = slots.filter { !$0.location.isMarked }
  }

  /// Returns the index of the first slot whose record begins at or after an offset.
  func first(from offset: Int) -> Int {
    var range = slots.startIndex..<slots.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        slots[middle].location.offset < offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

/// Moves live records from the oldest segment to the end of the log.
extension LogSession {
  /// Moves or evicts the live records of a part of the oldest segment; returns where the part ends.
  func move(
    from segment: Segment, _ start: Int, _ budget: Int, end: Int, _ shortage: Shortage?,
    _ writer: inout LogWriter
  ) throws -> Int {
    var step = EmptyingStep(
      room: room(), clock: options.clock, shortage: shortage, size: min(end - start, budget),
      notesKeys: !options.old.isEmpty)
    let part = start..<start + min(end - start, budget)
    let reached =
      if let listing = try listing(of: segment, end: end, &writer) {
        try take(part, of: segment, listing, end: end, &step, &writer.memory)
      } else {
        try take(part, of: segment, end: end, &step)
      }
    for key in step.evicted { try options.old.remove(key) }
    if !step.moved.isEmpty {
      let fileBytes = step.files.reduce(0) { $0 + $1.size }
      try step.moved.withUnsafeMutableBytes { bytes in
        try append(bytes, files: -fileBytes, version: step.version, &writer) { segment, offset in
          Record.sealBatch(bytes, seed: segment.seed(at: offset))
        }
      }
      delete(step.files, &writer)
    }
    writer.evict(step.evictedBytes, from: segment.number)
    options.reclaimed(step.evictions, step.expiries)
    return reached
  }

  /// Returns the table of contents of a segment; `nil` if it has none.
  private func listing(of segment: Segment, end: Int, _ writer: inout LogWriter) throws -> SegmentListing? {
    if let listing = writer.listing, listing.number == segment.number { return listing }
    guard let slots = try SegmentContents.read(from: segment, length: end) else { return nil }
    let listing = SegmentListing(segment.number, slots)
    writer.listing = listing
    return listing
  }

  /// Moves or evicts the entries of a part of a segment by its table: only moved entries, and entries with files, are
  /// read.
  private func take(
    _ part: Range<Int>, of segment: Segment, _ listing: SegmentListing, end: Int, _ step: inout EmptyingStep,
    _ memory: inout [UInt8]
  ) throws -> Int {
    var reader = SegmentReader(segment, end: end, memory: memory)
    memory = []
    defer { memory = reader.takeMemory() }
    var next = listing.first(from: part.lowerBound)
    while next < listing.slots.count {
      let location = listing.slots[next].location
      if location.offset >= part.upperBound || step.isEnough { return location.offset }
      if let slot = index.find(listing.slots[next].key), slot.location.isSame(location) {
        let isUsed = slot.location.isMarked
        if !location.isFile, !step.notesKeys, step.givesUp(location.length, isUsed: isUsed) {
          step.giveUp(location.length)
        } else {
          try reader.withBytes(of: location) { bytes in
            guard let record = Record(bytes, seed: segment.seed(at: location.offset)),
              record.length == bytes.count
            else { return try keep(bytes, of: segment, at: location.offset, "the checksum does not match") }
            step.take(record, bytes, isUsed: isUsed)
          }
        }
      }
      next += 1
    }
    return end
  }

  /// Moves or evicts the records of a part of a segment without a table, which is read whole.
  private func take(_ part: Range<Int>, of segment: Segment, end: Int, _ step: inout EmptyingStep) throws
    -> Int
  {
    var reached = part.lowerBound
    do {
      reached = try segment.forEachRecord(from: reached, atLeast: part.count, end: end) { item, bytes in
        if step.isEnough { throw EnoughIsFree() }
        defer { reached = item.range.upperBound }
        let offset = item.range.lowerBound
        guard let record = item.record else {
          return try keep(bytes, of: segment, at: offset, "no record can be read there")
        }
        guard let slot = currentSlot(record, bytes, at: offset, of: segment.number) else { return }
        if case .spoiled = item {
          return try keep(bytes, of: segment, at: offset, "the checksum of a value does not match")
        }
        step.take(record, bytes, isUsed: slot.location.isMarked)
      }
    } catch is EnoughIsFree {}
    return reached
  }

  /// Copies damaged bytes to `Damaged`. Throws if that fails, and then the segment stays.
  private func keep(_ bytes: UnsafeRawBufferPointer, of segment: Segment, at offset: Int, _ reason: String)
    throws
  {
    let finding = options.keepDamage(Array(bytes), of: segment, at: offset, reason)
    if let cause = finding.cause { throw cause }
    note(finding)
  }

  /// Returns the number of bytes that may be moved.
  private func room() -> Int {
    guard let limit = options.limit else { return .max }
    // The last segment's table is not written yet.
    let table = view.withLock { $0.contents.count } * IndexSlot.size + Record.headerSize + 16
    return limit - control.logBytes - control.fileBytes - table - 2 * SegmentHeader.size
  }
}

/// Ends a scan once the shortage is covered.
private struct EnoughIsFree: Error {}
