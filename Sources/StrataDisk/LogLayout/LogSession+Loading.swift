import StrataCore

/// The damage in the segments of a log that can be repaired without losing more.
struct LogDamage {
  /// Parts of segments that contain no record, and have been copied to `Damaged`.
  var ranges: [(range: Range<Int>, segment: Segment)] = []
  /// Segments that lack a table of contents at their end, or need a new one.
  var unsealed: Set<Int> = []
  /// Missing segment numbers between the oldest and the newest.
  var missing: [Int] = []

  var isNone: Bool { ranges.isEmpty && unsealed.isEmpty && missing.isEmpty }

  /// Returns whether a segment is missing, or gets a new table of contents.
  func concerns(_ number: Int) -> Bool { unsealed.contains(number) || missing.contains(number) }

  /// The limit on missing numbers: more of them cannot be segments that were lost one by one.
  static let mostMissing = 4096

  /// Returns the numbers that are missing in a range.
  static func missing(from numbers: [Int], in span: ClosedRange<Int>) -> [Int] {
    var missing: [Int] = []
    var next = span.lowerBound
    for number in numbers.filter(span.contains) + [span.upperBound + 1] {
      missing += (next..<max(next, number)).prefix(mostMissing + 1 - missing.count)
      next = number + 1
    }
    return missing
  }
}

extension LogSession {
  /// The numbers that the log's segments must have; `nil` if it has no segments.
  var numbers: ClosedRange<Int>? {
    let last = control.tail.offset > 0 ? control.tail.segment : control.tail.segment - 1
    return last >= control.oldest ? control.oldest...last : nil
  }

  /// Reads the slots for the index, and returns the damage. Call it with the lock held, so that no segment is deleted
  /// meanwhile.
  func load() throws -> LogDamage {
    var damage = LogDamage()
    var setAside: Set<Int> = []
    let found = try folder.segmentNumbers()
    try view.withLock { view in
      var slots = DividedSlots(expecting: try expectedCount(found))
      var buffer = ReadBuffer()
      let tail = control.tail
      for number in found where number >= control.oldest && number <= tail.segment {
        view.enter(number)
        do {
          guard let segment = try segments.segment(number) else { continue }
          try load(segment, isLast: number == tail.segment, &slots, &view, &damage, &buffer)
        } catch let flaw as EntryFlaw {
          if case .newer(let version) = flaw {
            throw StorageError.newer(
              version, known: SegmentHeader.version, place: folder.path(of: EntryName.segment(number)))
          }
          try holdPlace()
          note(folder.setAsideSegment(number, flaw))
          setAside.insert(number)
        }
      }
      if view.position.segment != tail.segment { view.enter(tail.segment) }
      index.begin(with: &slots, oldest: view.oldest)
      setReplayed(tail, &view)
    }
    guard let numbers else { return damage }
    damage.missing = LogDamage.missing(from: found.filter { !setAside.contains($0) }, in: numbers)
    let unreported = damage.missing.filter { !setAside.contains($0) }
    if !unreported.isEmpty { note(lost(unreported)) }
    return damage
  }

  /// Returns the number of slots in segments, as the ends of their tables of contents say. The last segment, which has
  /// no table, counts like the others.
  private func expectedCount(_ numbers: [Int]) throws -> Int {
    var (count, bytes) = (0, 0)
    for number in numbers where number >= control.oldest && number < control.tail.segment {
      guard let segment = try soundSegment(number) else { continue }
      let length = try segment.length()
      count += try SegmentContents.count(in: segment, length: length)
      bytes += length
    }
    return bytes == 0 ? 0 : count + Int(Double(count) * Double(control.tail.offset) / Double(bytes))
  }

  private func load(
    _ segment: Segment, isLast: Bool, _ slots: inout DividedSlots, _ view: inout LogView,
    _ damage: inout LogDamage, _ buffer: inout ReadBuffer
  ) throws {
    let end = try isLast ? control.tail.offset : segment.length()
    let number = segment.number & Location.segmentMask
    var live = 0
    // The next table of the last segment needs the slots of all its records.
    let hasTable =
      try !isLast
      && SegmentContents.forEach(in: segment, length: end, &buffer) { slot in
        guard slot.location.segment == number else { return }
        slots.append(slot)
        if !slot.location.isMarked { live += slot.location.cost }
      }
    if hasTable { return view.live.add(live, to: segment.number) }
    var last: LogScan.Item?
    var position = SegmentHeader.size
    // The segment is read in pieces, whose memory is reused.
    while position < end {
      position = try segment.forEachRecord(from: position, atLeast: 1 << 18, end: end, checksValues: false) {
        item, bytes in
        last = item
        func add(_ slot: IndexSlot) {
          slots.append(slot)
          view.contents.append(slot)
          if !slot.location.isMarked { view.live.add(slot.location.cost, to: segment.number) }
        }
        switch item {
        // A table before or after damage still lists the removals.
        case .record(let record, _) where record.kind == .contents:
          SegmentContents.slots(bytes.part(record.valueRange), found: view.contents).forEach(add)
        // Reading the key reports the damage; until then the record hides the key's older values.
        case .record(let record, let offset), .spoiled(let record, let offset):
          if let slot = slot(of: record, bytes, segment: segment.number, offset: offset) { add(slot) }
        case .damage(let range): try keep(bytes, range, segment, "no record can be read there", &damage)
        }
      }
    }
    if isLast { return }
    let isCut = isCut(segment, end: end, last: last)
    if isCut { note(cutShort(segment)) }
    if case .spoiled(let record, let offset) = last, record.kind == .contents {
      let range = offset..<offset + record.length
      try segment.bytes(range).withUnsafeBytes {
        try keep($0, range, segment, "a table is damaged", &damage)
      }
    }
    if isCut || damage.ranges.contains(where: { $0.segment === segment }) {
      damage.unsealed.insert(segment.number)
    }
  }

  /// Returns whether a segment, which is not the last, has lost the table of contents at its end, and so perhaps
  /// records.
  ///
  /// - Parameter last: The last item of the segment.
  func isCut(_ segment: Segment, end: Int, last: LogScan.Item?) -> Bool {
    guard end >= SegmentContents.minimumSegment else { return false }
    switch last {
    case .damage: return false
    case .record(let record, _), .spoiled(let record, _):
      return record.kind != .contents && record.kind != .void
    case nil: return true
    }
  }

  private func keep(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ segment: Segment, _ reason: String,
    _ damage: inout LogDamage
  ) throws {
    // In another store's folder, every file would look damaged.
    try holdPlace()
    let finding = options.keepDamage(Array(bytes), of: segment, at: range.lowerBound, reason)
    note(finding)
    unlisted.withLock { _ = $0.insert(LogPosition(segment: segment.number, offset: range.lowerBound)) }
    if finding.cause == nil { damage.ranges.append((range, segment)) }
  }
}
