import StrataCore

/// Repairs of damage that has been reported, and copied as far as possible. After them the damage is not found again,
/// and so is reported once.
extension LogSession {
  /// Overwrites damaged bytes with void records, ends full segments in tables of contents, and replaces missing
  /// segments by empty ones.
  ///
  /// - Parameter removals: By segment, the removals to add to its table of contents.
  func settle(_ damage: LogDamage, removing removals: [Int: [IndexSlot]] = [:]) throws {
    if control.isReadOnly { return }
    do throws {
      for (range, segment) in damage.ranges { try fill(range, of: segment) }
      for number in damage.unsealed {
        if let segment = try segments.segment(number) { try seal(segment, removals[number] ?? []) }
      }
      if damage.missing.count > LogDamage.mostMissing { return }
      for number in damage.missing where try FileStatus(of: folder.path(of: EntryName.segment(number))) == nil
      {
        let segment = try Segment(
          making: number, in: folder, secret: secret, protection: options.protection)
        try seal(segment, removals[number] ?? [])
      }
    } catch let error as SystemError {
      note(error.explained("repair the damaged log", next: "the next opening tries again"))
    }
  }

  /// Continues the log in a new segment, because the last one is lost. All processes have to open the log again.
  func abandonTail() {
    if control.isReadOnly { return }
    leaveTail()
    control.renew()
  }

  /// Continues the log in a new segment.
  func leaveTail() {
    view.withLock { view in
      let next = LogPosition(segment: control.tail.segment + 1, offset: 0)
      control.tail = next
      control.seal()
      view.enter(next.segment)
      setReplayed(next, &view)
    }
  }

  /// Overwrites bytes that have been copied to `Damaged` with void records, so that they are found only once. Bytes at
  /// the end of a segment that no record can cover stay; `seal` cuts them off.
  func fill(_ range: Range<Int>, of segment: Segment) throws {
    if control.isReadOnly || range.lowerBound % 8 != 0 || range.count % 8 != 0 { return }
    let least = Record.length(Record.headerSize)
    var rest = range
    while rest.count >= least {
      // Beyond 2 MiB a record's length is a multiple of 512. The remaining bytes must be enough for another record.
      var count = min(rest.count, 1 << 21)
      if rest.count > count, rest.count - count < least { count -= least }
      let start = rest.lowerBound
      let value = try segment.bytes(start + Record.headerSize..<start + count)
      let record = Record(kind: .void, keyLength: 0, valueLength: value.count, expiry: .never)
      try withBuffer(record.length) { buffer in
        value.withUnsafeBytes {
          record.encode(
            into: buffer, key: .init(start: nil, count: 0), value: $0, seed: segment.seed(at: start))
        }
        try segment.write(UnsafeRawBufferPointer(buffer).part(0..<Record.headerSize), at: start)
      }
      rest = start + count..<range.upperBound
    }
  }

  /// Ends a segment in a table of contents, which replaces a damaged table and damage at the segment's end.
  private func seal(_ segment: Segment, _ removals: [IndexSlot]) throws {
    let start = SegmentHeader.size
    let length = try segment.length()
    let bytes = try segment.bytes(start..<max(start, length))
    var end = start
    var slots: [IndexSlot] = []
    var hasTable = false
    bytes.withUnsafeBytes { bytes in
      LogScan.walk(bytes, from: start, seed: segment.header.seed) { item in
        guard let record = item.record else { return }
        let part = bytes.part(item.range.lowerBound - start..<item.range.upperBound - start)
        if record.kind == .contents {
          guard case .record = item else { return }
          slots += SegmentContents.slots(part.part(record.valueRange), found: slots)
          hasTable = true
          return
        }
        end = item.range.upperBound
        slot(of: record, part, segment: segment.number, offset: item.range.lowerBound).map {
          slots.append($0)
        }
      }
    }
    // Of each key the last slot, in the order of the records.
    var last: [Fingerprint: IndexSlot] = [:]
    for slot in slots + removals { last[slot.key] = slot }
    slots = last.values.sorted { $0.location.offset < $1.location.offset }
    var table: [UInt8] = []
    if end >= SegmentContents.minimumSegment || !removals.isEmpty || hasTable {
      table = SegmentContents.encoded(slots, at: end, seed: segment.header.seed)
      try table.withUnsafeBytes { try segment.write($0, at: end) }
    }
    if length > end + table.count { try segment.file.truncate(to: end + table.count) }
    if options.durability == .power { try segment.file.sync() }
  }
}
