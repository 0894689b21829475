import StrataCore

/// What a full segment says is in it: the slots of its entries, by their offsets.
struct SegmentListing: Sendable {
  let number: Int
  let slots: [IndexSlot]

  init(_ number: Int, _ slots: [IndexSlot]) {
    self.number = number
    // A removal is of no use in the oldest segment.
    self.slots = slots.filter { !$0.location.isMarked }
  }

  /// The first slot whose record does not begin before an offset.
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

/// Moving what counts from the oldest segment to the end of the log.
extension LogSession {
  /// Moves what counts of a part of the oldest segment; returns where the part ends.
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
        try take(part, of: segment, listing, end: end, &step)
      } else {
        try take(part, of: segment, end: end, &step)
      }
    for key in step.evicted { try options.old.remove(key) }
    if !step.moved.isEmpty {
      let fileBytes = step.files.reduce(0) { $0 + $1.size }
      try step.moved.withUnsafeMutableBytes { bytes in
        try append(bytes, files: -fileBytes, &writer) { segment, offset in
          Record.sealBatch(bytes, seed: segment.seed(at: offset))
        }
      }
      delete(step.files, &writer)
    }
    writer.evict(step.evictedBytes, from: segment.number)
    return reached
  }

  /// What a segment lists in its table of contents; `nil` if it has none.
  private func listing(of segment: Segment, end: Int, _ writer: inout LogWriter) throws -> SegmentListing? {
    if let listing = writer.listing, listing.number == segment.number { return listing }
    guard let slots = try SegmentContents.read(from: segment, length: end) else { return nil }
    let listing = SegmentListing(segment.number, slots)
    writer.listing = listing
    return listing
  }

  /// Decides about the entries of a part of a segment by its table: only what is moved, or has a file, need be read.
  private func take(
    _ part: Range<Int>, of segment: Segment, _ listing: SegmentListing, end: Int, _ step: inout EmptyingStep
  ) throws -> Int {
    var reader = SegmentReader(segment, end: end)
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

  /// Decides about the records of a part of a segment that has no table: all of them are read.
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

  /// Copies damaged bytes to `Damaged`. Throws if that fails: then the segment stays.
  private func keep(_ bytes: UnsafeRawBufferPointer, of segment: Segment, at offset: Int, _ reason: String)
    throws
  {
    let finding = options.keepDamage(Array(bytes), of: segment, at: offset, reason)
    if let cause = finding.cause { throw cause }
    note(finding)
  }

  /// How many bytes may be moved.
  private func room() -> Int {
    guard let limit = options.limit else { return .max }
    // The last segment's table is still to be written.
    let table = view.withLock { $0.contents.count } * IndexSlot.size + Record.headerSize + 16
    return limit - control.logBytes - control.fileBytes - table - 2 * SegmentHeader.size
  }
}

/// Ends a walk over records of which no more have to go.
private struct EnoughIsFree: Error {}
