/// A walk over the records of a segment, which finds its way again behind damage.
enum LogScan {
  enum Item: Equatable {
    case record(Record, offset: Int)
    /// A record whose head is sound, and whose value is not.
    case spoiled(Record, offset: Int)
    /// Bytes between records that are none.
    case damage(Range<Int>)

    /// The record, if its head at least is sound.
    var record: Record? {
      switch self {
      case .record(let record, _), .spoiled(let record, _): record
      case .damage: nil
      }
    }

    var range: Range<Int> {
      switch self {
      case .record(let record, let offset), .spoiled(let record, let offset): offset..<offset + record.length
      case .damage(let range): range
      }
    }
  }

  /// Calls `body` for what is in some bytes of a segment, from front to back.
  ///
  /// - Parameters:
  ///   - start: Where in the segment the bytes begin.
  ///   - seed: The seed of the segment.
  static func walk(
    _ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64, _ body: (Item) throws -> Void
  ) rethrows {
    var offset = 0
    while offset < bytes.count {
      let rest = bytes.part(offset..<bytes.count)
      let place = seed &+ UInt64(start + offset)
      if let record = Record(rest, seed: place) {
        try body(.record(record, offset: start + offset))
        offset += record.length
      } else if let record = Record(head: rest, seed: place), record.length <= rest.count {
        // Without a value there is nothing to be spoiled but the checksum itself.
        try body(
          record.kind == .removal
            ? .record(record, offset: start + offset) : .spoiled(record, offset: start + offset))
        offset += record.length
      } else {
        let next = nextRecord(in: bytes, after: offset, start: start, seed: seed)
        try body(.damage(start + offset..<start + next))
        offset = next
      }
    }
  }

  /// Where the next sound record begins: records begin at multiples of 8, and their checksums at nothing else match.
  private static func nextRecord(
    in bytes: UnsafeRawBufferPointer, after offset: Int, start: Int, seed: UInt64
  ) -> Int {
    var next = offset + 8
    while next + Record.headerSize <= bytes.count {
      if bytes.number(at: next + 12) == Record.magic,
        Record(head: bytes.part(next..<bytes.count), seed: seed &+ UInt64(start + next)) != nil
      {
        return next
      }
      next += 8
    }
    return bytes.count
  }

  /// Where the log ends, if nothing but its last segment can tell: behind the last record that is whole, as is its batch.
  ///
  /// A record behind damage counts: the damage is then in the middle. But if all that is sound behind it is of the batch that
  /// was struck, it is the torn end of a write, and none of the batch counts.
  static func end(of items: [Item], from start: Int) -> Int {
    var end = start
    var damaged = start
    for item in items {
      switch item {
      case .damage, .spoiled: damaged = item.range.upperBound
      case .record(let record, let offset):
        let isTorn = record.batchOffset > 0 && damaged > offset - record.batchOffset
        if !record.batchContinues, !isTorn { end = offset + record.length }
      }
    }
    return end
  }
}
