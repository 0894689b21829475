import StrataCore

extension LogSession {
  /// Returns the texts of all keys whose entries have not expired, and whether they are distinct: the text of an entry
  /// that is written or moved meanwhile may be there twice.
  ///
  /// Reads the log from front to back. Entries move only to its end, so that none is missed.
  func texts() throws -> (texts: [String], areDistinct: Bool) {
    try control.expectPlace()
    try takeOverAll()
    try refresh()
    let first = control.tail
    var texts: [String] = []
    var position = LogPosition(segment: control.oldest, offset: 0)
    while true {
      try refresh()
      let tail = control.tail
      if position == tail || tail.offset == 0 && position.segment >= tail.segment { break }
      position = try list(from: position, to: tail, &texts)
    }
    return (texts, position == first)
  }

  /// Returns the texts of at most `limit` keys after a position in the index, without those whose entries have expired,
  /// and the position after them; `nil` after the last one.
  ///
  /// The key of an entry that is stored during all calls is returned once, even if it is written or moved meanwhile.
  func texts(after position: IndexPosition?, limit: Int) throws -> (texts: [String], next: IndexPosition?) {
    try control.expectPlace()
    if position == nil { try takeOverAll() }
    try refresh()
    let (slots, next) = index.slots(after: position, atMost: limit)
    // In the order of the log: neighbours are read together from the disk.
    let span = control.span
    let sorted = slots.map { (segment: span.segment(of: $0.location), slot: $0) }
      .sorted { ($0.segment, $0.slot.location.offset) < ($1.segment, $1.slot.location.offset) }
    var texts: [String] = []
    for (_, slot) in sorted { try list(slot, &texts) }
    return (texts, next)
  }

  /// Lists a key unless its entry has expired.
  private func list(_ key: UnsafeRawBufferPointer, _ expiry: Expiry, _ texts: inout [String]) {
    if !expiry.isExpired(by: options.clock), let text = String(validating: key, as: UTF8.self) {
      texts.append(text)
    }
  }

  /// Lists the key of an entry, unless it has been removed; reports a record without a readable key.
  private func list(_ slot: IndexSlot, _ texts: inout [String]) throws {
    var location = slot.location
    while true {
      let number = control.span.segment(of: location)
      let segment = try control.span.contains(location) ? soundSegment(number) : nil
      if let segment, try readHead(at: location, in: segment, of: slot.key, &texts) { return }
      try refresh()
      guard let now = index.find(slot.key)?.location else { return }
      if now.isSame(location) {
        // An entry in a segment that has been emptied was evicted.
        if control.span.contains(location) { noteUnlisted(number, segment == nil ? nil : location.offset) }
        return
      }
      location = now
    }
  }

  /// Reports once that listings lack the entry at an offset of a segment, or all entries of a segment.
  private func noteUnlisted(_ number: Int, _ offset: Int?) {
    if !unlisted.withLock({ $0.insert(LogPosition(segment: number, offset: offset ?? 0)).inserted }) {
      return
    }
    let message =
      offset.map { "the record at \($0) is damaged: its key cannot be read, so listings lack its entry" }
      ?? "the segment is missing or damaged: listings lack its entries"
    note(
      .malformedFileAttributes.with(
        "\(message); repair() removes it", place: folder.path(of: EntryName.segment(number))))
  }

  /// Lists the key in the head of a record, and does not read its value. Returns `false` if the record belongs to
  /// another key.
  private func readHead(
    at location: Location, in segment: Segment, of key: Fingerprint, _ texts: inout [String]
  ) throws -> Bool {
    var size = min(location.length, 512)
    while true {
      let missing: Int? = try withBuffer(size) { buffer in
        let count = try segment.file.read(into: buffer, at: location.offset)
        let bytes = UnsafeRawBufferPointer(buffer).part(0..<count)
        guard let fields = Record(fields: bytes), fields.length == location.length else { return 0 }
        if fields.keyRange.upperBound > count, count == size, size < location.length {
          return fields.keyRange.upperBound
        }
        guard let record = Record(head: bytes, seed: segment.seed(at: location.offset)),
          secret.fingerprint(of: bytes.part(record.keyRange)) == key
        else { return 0 }
        list(bytes.part(record.keyRange), record.expiry, &texts)
        return nil
      }
      guard let missing else { return true }
      if missing == 0 { return false }
      size = min(missing, location.length)
    }
  }

  /// Lists the keys of one segment from a position on; returns the position after them.
  private func list(
    from position: LogPosition, to tail: LogPosition, _ texts: inout [String]
  ) throws -> LogPosition {
    let number = max(position.segment, control.oldest)
    let next = LogPosition(segment: number + 1, offset: 0)
    guard number <= tail.segment, let segment = try soundSegment(number) else { return min(next, tail) }
    let start = number == position.segment ? max(position.offset, SegmentHeader.size) : SegmentHeader.size
    let end = try number == tail.segment ? tail.offset : segment.length()
    _ = try segment.forEachRecord(from: start, atLeast: end - start, end: end) { item, bytes in
      // A record with a damaged value is listed too: reading its key reports the damage.
      guard let record = item.record else { return noteUnlisted(number, item.range.lowerBound) }
      if currentSlot(record, bytes, at: item.range.lowerBound, of: number) == nil { return }
      list(bytes.part(record.keyRange), record.expiry, &texts)
    }
    return number == tail.segment ? tail : next
  }

  /// Returns the slot of a record with a value, if it is the live record of its key.
  func currentSlot(
    _ record: Record, _ bytes: UnsafeRawBufferPointer, at offset: Int, of number: Int
  ) -> IndexSlot? {
    guard record.kind == .value || record.kind.namesFile,
      let slot = index.find(secret.fingerprint(of: bytes.part(record.keyRange))),
      slot.location.offset == offset, slot.location.segment == number & Location.segmentMask
    else { return nil }
    return slot
  }

  /// Returns the bytes of all files of the log and its values, and of Cache's files that were not imported.
  func totalSize() throws -> Int {
    try control.expectPlace()
    try takeOverAll()
    try refresh()
    return try control.logBytes + control.fileBytes + (options.old.ofCache?.measure() ?? 0)
  }

  /// Removes expired entries.
  func removeExpired() throws {
    try takeOverAll()
    try refresh()
    try options.old.ofCache?.measure(removingExpiredBy: options.clock)
    let now = IndexSlot.second(options.clock.now)
    try index.forEach { slots in
      // A few at a time, so that other threads can write in between.
      var due = slots.filter { $0.deadline <= now && $0.deadline != .max }[...]
      while !due.isEmpty {
        let batch = due.prefix(200)
        due = due.dropFirst(200)
        try removing { writer in
          let keys = try batch.compactMap(expiredKey)
          try remove(keys, &writer)
          options.reclaimed(0, keys.count)
        }
      }
    }
  }

  /// Returns the key of a record if it has expired, compared with the record's exact date.
  private func expiredKey(_ slot: IndexSlot) throws -> [UInt8]? {
    guard let location = index.find(slot.key)?.location, control.span.contains(location),
      let segment = try soundSegment(control.span.segment(of: location))
    else { return nil }
    do {
      return try withRecord(at: location, in: segment) { record, bytes in
        record.expiry.isExpired(by: options.clock) ? Array(bytes.part(record.keyRange)) : nil
      }
    } catch is EntryFlaw {
      // Reading the key reports the damage.
      return nil
    }
  }
}
