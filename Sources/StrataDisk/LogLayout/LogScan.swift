/// A scan of the records of a segment, which continues after damage.
enum LogScan {
  enum Item: Equatable {
    case record(Record, offset: Int)
    /// A record with a sound head and a damaged value.
    case spoiled(Record, offset: Int)
    /// Bytes that contain no record.
    case damage(Range<Int>)

    /// The record, if at least its head is sound.
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

  /// Calls `body` for each record and each damaged range in the bytes of a segment, from front to back. Takes time in
  /// proportion to the bytes, whatever they are; see `ScanEffort`.
  ///
  /// - Parameters:
  ///   - start: The offset of the bytes in the segment.
  ///   - seed: The seed of the segment.
  ///   - checksValues: Whether damaged values are found. If not, only a table of contents can be `.spoiled`.
  static func walk(
    _ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64, checksValues: Bool = true,
    _ body: (Item) throws -> Void
  ) rethrows {
    _ = try effort(bytes, from: start, seed: seed, checksValues: checksValues, body)
  }

  /// Calls `body` like `walk`. Returns the number of bytes that were hashed for heads that turned out to be no records.
  static func effort(
    _ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64, checksValues: Bool = true,
    _ body: (Item) throws -> Void
  ) rethrows -> Int {
    var effort = ScanEffort(for: bytes.count)
    var offset = 0
    while offset < bytes.count {
      let item = item(in: bytes, at: offset, start: start, seed: seed, checksValues: checksValues, &effort)
      offset = item.range.upperBound - start
      try body(item)
    }
    return effort.spent
  }

  /// Returns the record at an offset in the bytes, or the damage there.
  // Not part of `effort`, of which the compiler makes a copy for each scan.
  @inline(never)
  private static func item(
    in bytes: UnsafeRawBufferPointer, at offset: Int, start: Int, seed: UInt64, checksValues: Bool,
    _ effort: inout ScanEffort
  ) -> Item {
    let rest = bytes.part(offset...)
    let place = seed &+ UInt64(start + offset)
    if let (record, hash) = effort.head(of: rest, seed: place, isExpected: true), record.length <= rest.count
    {
      // A removal has no value that could be damaged, only its checksum.
      let isSound =
        record.kind == .removal || !checksValues && record.kind != .contents
        || record.isSound(value: rest.part(record.valueRange), head: rest, hash: hash)
      return isSound ? .record(record, offset: start + offset) : .spoiled(record, offset: start + offset)
    }
    // Records begin at multiples of 8; elsewhere their checksums do not match.
    var next = offset + 8
    while next + Record.headerSize <= bytes.count {
      if bytes.number(at: next + 12) == Record.magic {
        let place = seed &+ UInt64(start + next)
        if effort.head(of: bytes.part(next...), seed: place, isExpected: false) != nil {
          return .damage(start + offset..<start + next)
        }
      }
      next += 8
    }
    return .damage(start + offset..<start + bytes.count)
  }

  /// Returns the end of the log, determined from its last segment alone: after the last whole record of a whole batch.
  ///
  /// A record after damage is part of the log, and the damage is then in its middle. But if every sound record after
  /// the damage belongs to the damaged batch, that batch is a torn write, and none of its records count.
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

  /// Returns whether the bytes behind the end of the log are an unfinished write and nothing else. A killed process
  /// leaves whole records of a batch that continues, and then a record that is cut short.
  static func isUnfinishedWrite(_ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64) -> Bool {
    var isUnfinished = true
    walk(bytes, from: start, seed: seed) { item in
      switch item {
      case .record(let record, _): if !record.batchContinues { isUnfinished = false }
      case .spoiled: isUnfinished = false
      case .damage(let range):
        let rest = bytes.part((range.lowerBound - start)...)
        if !isCutShort(rest, seed: seed &+ UInt64(range.lowerBound)) { isUnfinished = false }
      }
    }
    return isUnfinished
  }

  /// Returns whether the bytes are a record that is cut short, as far as the existing part of its head shows.
  private static func isCutShort(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> Bool {
    if bytes.count < Record.headerSize { return bytes.count < 14 || bytes.number(at: 12) == Record.magic }
    guard let record = Record(fields: bytes), record.length > bytes.count else { return false }
    return record.keyRange.upperBound > bytes.count || Record(head: bytes, seed: seed) != nil
  }
}

/// The limit on the bytes that a scan hashes in search of records.
///
/// To check whether a record begins at an offset, the scan hashes the head there, with a key as long as the head says.
/// A crafted value can make every eighth byte after damage look like a head with an endless key. So once failed hashes
/// have cost eight times the scanned bytes, heads of more than 256 bytes are no longer hashed. Where a record is
/// expected, the limit is sixteen times. Beyond that, sound records with long keys may be taken for damage, but only
/// after damage, and only among crafted values.
private struct ScanEffort {
  private static let anyway = 256
  private let limit: Int
  private(set) var spent = 0

  init(for bytes: Int) { limit = 8 * bytes + 1 << 20 }

  /// Returns the record at the beginning of some bytes, with the hash of its head, if that is sound.
  mutating func head(of bytes: UnsafeRawBufferPointer, seed: UInt64, isExpected: Bool) -> (Record, UInt64)? {
    guard let record = Record(fields: bytes), record.keyRange.upperBound <= bytes.count else { return nil }
    let cost = record.keyRange.upperBound
    guard cost <= Self.anyway || spent + cost <= (isExpected ? 2 : 1) * limit else { return nil }
    if let hash = record.soundHash(ofHead: bytes, seed: seed) { return (record, hash) }
    spent += cost
    return nil
  }
}
