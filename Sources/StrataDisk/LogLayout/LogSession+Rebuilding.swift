#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Rebuilding the control file from the segments.
extension LogSession {
  /// Finds the beginning and the end of the log from the segments alone, and rebuilds the page.
  static func rebuild(
    _ control: ControlFile, _ options: LogOptions, _ witness: LogWitness?, _ findings: inout [StorageError]
  ) throws {
    let folder = options.folder
    var numbers = try folder.segmentNumbers()
    // A new file cannot say whether a process has written with `.power`, so it is assumed.
    if control.load(.magic) != ControlFile.magic, !numbers.isEmpty { control.store(1, .stable) }
    let secret = try secret(of: numbers, folder)
    while let last = numbers.last {
      do {
        guard let segment = try Segment(last, in: folder, secret: secret) else {
          throw EntryFlaw.damaged("it is gone")
        }
        let tail = try takeOver(segment, control, options, witness, &findings)
        let secret = segment.header.secret
        if lacksEnd(control, witness, tail) { control.store(1, .keepsOrphans) }
        return try control.reset(
          secret: secret, tail: tail,
          oldest: witness?.oldest(numbers.first ?? last, tail, secret) ?? numbers.first ?? last,
          logBytes: folder.bytes(of: numbers), fileBytes: 0)
      } catch let flaw as EntryFlaw {
        if case .newer(let version) = flaw {
          throw StorageError.newer(
            version, known: SegmentHeader.version, place: folder.path(of: EntryName.segment(last)))
        }
        try control.expectPlace()
        if try !control.isReadOnly && isUnfinished(last, folder) {
          try folder.remove(EntryName.segment(last))
        } else {
          findings.append(folder.setAsideSegment(last, flaw))
        }
        numbers.removeLast()
      }
    }
    let tail = LogPosition(segment: 1, offset: 0)
    if lacksEnd(control, witness, tail) { control.store(1, .keepsOrphans) }
    try control.reset(secret: .random(), tail: tail, oldest: 1, logBytes: 0, fileBytes: 0)
  }

  /// Returns whether the records of value files may be lost with the end of the log: the log was longer, or the control
  /// file is gone. Then the last segment may have been cut too: a record that is cut off looks like one that a killed
  /// process has not finished.
  private static func lacksEnd(_ control: ControlFile, _ witness: LogWitness?, _ tail: LogPosition) -> Bool {
    witness.map { $0.tail > tail } ?? (control.load(.magic) != ControlFile.magic)
  }

  /// Returns the secret that most segments have, so that a segment copied from another folder does not decide.
  private static func secret(of numbers: [Int], _ folder: EntryFolder) throws -> Secret? {
    var counts: [Secret: Int] = [:]
    for number in numbers {
      do {
        guard let segment = try Segment(number, in: folder, secret: nil) else { continue }
        counts[segment.header.secret, default: 0] += 1
      } catch is EntryFlaw {}
    }
    return counts.max { $0.value < $1.value }?.key
  }

  /// Returns where the log ends, if this is its last segment, and keeps processes with another control file from
  /// writing there.
  private static func takeOver(
    _ segment: Segment, _ control: ControlFile, _ options: LogOptions, _ witness: LogWitness?,
    _ findings: inout [StorageError]
  ) throws -> LogPosition {
    if witness?.isOfAnEarlierBoot == true || control.isReadOnly {
      return try end(of: segment, control, options, witness, &findings)
    }
    // A process that found the segment open after a write has written before this, so the write is read here. All
    // others wait for the folder's lock. If this process dies, the segment is whole, and the next one does the same.
    let isClosed = try segment.setClosed(true)
    let end = try end(of: segment, control, options, witness, &findings)
    if end.offset == 0 {
      try segment.setClosed(false)
      return end
    }
    try replace(segment, upTo: end.offset, control, options)
    if isClosed { return end }
    // The file system cannot close files. A process that found its segment in place has written before the
    // replacement, so its write counts.
    var none: [StorageError] = []
    let later = try Self.end(of: segment, control, options, witness, &none)
    if later.offset > end.offset || later.segment > end.segment {
      try replace(segment, upTo: later.offset > 0 ? later.offset : segment.length(), control, options)
    }
    return later
  }

  /// Returns whether a process died while making a segment: its header is incomplete.
  private static func isUnfinished(_ number: Int, _ folder: EntryFolder) throws -> Bool {
    guard let status = try FileStatus(of: folder.path(of: EntryName.segment(number))) else { return false }
    return status.isRegular && status.size < SegmentHeader.size
  }

  /// Replaces the last segment by a copy, so that processes that still use a deleted control file cannot write to the
  /// log.
  private static func replace(
    _ segment: Segment, upTo end: Int, _ control: ControlFile, _ options: LogOptions
  ) throws {
    let isStable = options.durability == .power || control.keepsStable
    let copy = try TemporaryFile.written(
      [], Data(segment.bytes(0..<end)), in: options.folder, options.protection,
      isStable ? .power : .process)
    try control.expectPlace()
    try copy.move(to: segment.path)
    if isStable { try options.folder.sync() }
  }

  /// Returns where the next record goes, if this is the last segment. Bytes after the last whole record are copied to
  /// `Damaged`, unless they are an unfinished write.
  private static func end(
    of segment: Segment, _ control: ControlFile, _ options: LogOptions, _ witness: LogWitness?,
    _ findings: inout [StorageError]
  ) throws -> LogPosition {
    let length = try segment.length()
    let isFull = try SegmentContents.read(from: segment, length: length) != nil
    if isFull { return LogPosition(segment: segment.number + 1, offset: 0) }
    let bytes = try segment.bytes(SegmentHeader.size..<length)
    var items: [LogScan.Item] = []
    bytes.withUnsafeBytes {
      LogScan.walk($0, from: SegmentHeader.size, seed: segment.header.seed) { items.append($0) }
    }
    let end = LogScan.end(of: items, from: SegmentHeader.size)
    // Something was appended to a full segment: that is damage, which filling the index finds and cuts off. No record
    // may follow the table, which lists the records before it only.
    if items.contains(where: { $0.range.upperBound == end && $0.record?.kind == .contents }) {
      return LogPosition(segment: segment.number + 1, offset: 0)
    }
    let position = LogPosition(segment: segment.number, offset: end)
    let torn = Array(bytes[(end - SegmentHeader.size)...])
    let isUnfinished =
      witness?.tail == position
      || torn.withUnsafeBytes { LogScan.isUnfinishedWrite($0, from: end, seed: segment.header.seed) }
    if !isUnfinished, torn.contains(where: { $0 != 0 }) {
      try control.expectPlace()
      findings.append(
        options.keepDamage(torn, of: segment, at: end, "the log ends with an incomplete write"))
    }
    return position
  }
}
