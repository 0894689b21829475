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

  /// Calls `body` for what is in some bytes of a segment, from front to back. It takes time in proportion to the bytes,
  /// whatever they are; see `ScanEffort`.
  ///
  /// - Parameters:
  ///   - start: Where in the segment the bytes begin.
  ///   - seed: The seed of the segment.
  static func walk(
    _ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64, _ body: (Item) throws -> Void
  ) rethrows {
    _ = try effort(bytes, from: start, seed: seed, body)
  }

  /// Does the same, and returns how many bytes were hashed in search of records that turned out to be none.
  static func effort(
    _ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64, _ body: (Item) throws -> Void
  ) rethrows -> Int {
    var effort = ScanEffort(for: bytes.count)
    var offset = 0
    while offset < bytes.count {
      let rest = bytes.part(offset..<bytes.count)
      let place = seed &+ UInt64(start + offset)
      if let (record, hash) = effort.head(of: rest, seed: place, isExpected: true),
        record.length <= rest.count
      {
        // Without a value there is nothing to be spoiled but the checksum itself.
        let isSound =
          record.kind == .removal
          || record.isSound(value: rest.part(record.valueRange), head: rest, hash: hash)
        try body(isSound ? .record(record, offset: start + offset) : .spoiled(record, offset: start + offset))
        offset += record.length
      } else {
        let next = nextRecord(in: bytes, after: offset, start: start, seed: seed, &effort)
        try body(.damage(start + offset..<start + next))
        offset = next
      }
    }
    return effort.spent
  }

  /// Where the next sound record begins: records begin at multiples of 8, and their checksums at nothing else match.
  private static func nextRecord(
    in bytes: UnsafeRawBufferPointer, after offset: Int, start: Int, seed: UInt64, _ effort: inout ScanEffort
  ) -> Int {
    var next = offset + 8
    while next + Record.headerSize <= bytes.count {
      if bytes.number(at: next + 12) == Record.magic {
        let place = seed &+ UInt64(start + next)
        if effort.head(of: bytes.part(next..<bytes.count), seed: place, isExpected: false) != nil {
          return next
        }
      }
      next += 8
    }
    return bytes.count
  }

  /// Where the log ends, if nothing but its last segment can tell: behind the last record that is whole, as is its
  /// batch.
  ///
  /// A record behind damage counts: the damage is then in the middle. But if all that is sound behind it is of the
  /// batch that was struck, it is the torn end of a write, and none of the batch counts.
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

  /// Whether some bytes, behind the end of the log, are the beginning of a write and nothing else, as a process leaves
  /// it that is killed in the middle: whole records of a batch that is to go on, and then a record of which the end is
  /// missing.
  static func isUnfinishedWrite(_ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64) -> Bool {
    var isUnfinished = true
    walk(bytes, from: start, seed: seed) { item in
      switch item {
      case .record(let record, _): if !record.batchContinues { isUnfinished = false }
      case .spoiled: isUnfinished = false
      case .damage(let range):
        let rest = bytes.part(range.lowerBound - start..<bytes.count)
        if !isCutShort(rest, seed: seed &+ UInt64(range.lowerBound)) { isUnfinished = false }
      }
    }
    return isUnfinished
  }

  /// Whether some bytes are a record of which the end is missing, as far as its head is there to tell.
  private static func isCutShort(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> Bool {
    if bytes.count < Record.headerSize { return bytes.count < 14 || bytes.number(at: 12) == Record.magic }
    guard let record = Record(fields: bytes), record.length > bytes.count else { return false }
    return record.keyRange.upperBound > bytes.count || Record(head: bytes, seed: seed) != nil
  }
}

/// How much a walk hashes in search of records.
///
/// To know whether a record begins somewhere, its head is hashed, with a key as long as the head says. A value can be
/// made so that behind damage every eighth byte looks like a head with an endless key. So a head of more than 256 bytes
/// is only looked at while that has not cost eight times as many bytes as there are; where a record is expected,
/// sixteen times. Then sound records with long keys can be taken for damage, but only behind damage, and only among
/// values that were made for it.
private struct ScanEffort {
  private static let anyway = 256
  private let limit: Int
  private(set) var spent = 0

  init(for bytes: Int) { limit = 8 * bytes + 1 << 20 }

  /// The record at the beginning of some bytes, with the hash of its head, if that is sound.
  mutating func head(of bytes: UnsafeRawBufferPointer, seed: UInt64, isExpected: Bool) -> (Record, UInt64)? {
    guard let record = Record(fields: bytes), record.keyRange.upperBound <= bytes.count else { return nil }
    let cost = record.keyRange.upperBound
    guard cost <= Self.anyway || spent + cost <= (isExpected ? 2 : 1) * limit else { return nil }
    if let hash = record.soundHash(ofHead: bytes, seed: seed) { return (record, hash) }
    spent += cost
    return nil
  }
}
