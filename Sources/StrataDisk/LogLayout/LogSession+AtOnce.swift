import StrataCore
import Synchronization

/// Writes that never wait: neither for the disk, nor for a lock whose holder may wait for the disk.
///
/// Such a write only appends to the open segment, and at times checks that the folder is still at its path. Other work
/// that is due now and then is left to an ordinary write: starting a segment, reclaiming space, and checking the disk's
/// free space.
extension LogSession {
  /// The length of a record above which it is left to an ordinary write.
  private static let lengthLimit = 1 << 14

  /// Stores an entry. Returns `false` if the write would have to wait, or fails; an ordinary write then throws the
  /// error.
  func storeAtOnce(_ entry: NewRecord) -> Bool {
    guard options.durability == .process, entry.length <= Self.lengthLimit, !options.isFile(entry),
      options.old.isEmpty, knowsAll
    else { return false }
    do {
      return try writer.withLockIfAvailable { writer in
        guard writer.pace.allowsAppend(), control.tryLock() else { return false }
        defer { control.unlock() }
        let start = ContinuousClock.now
        guard isPlainAppend(entry, writer), try isInPlace(&writer) else { return false }
        writer.changes += 1
        try change(&writer) { try store([entry], [], &$0) }
        writer.pace.note(start.duration(to: .now))
        return true
      } ?? false
    } catch {
      return false
    }
  }

  /// Returns whether storing an entry only appends it. The caller must hold both locks.
  private func isPlainAppend(_ entry: NewRecord, _ writer: borrowing LogWriter) -> Bool {
    let (tail, length) = (control.tail, entry.length)
    guard control.isStillSealed, knowsAll, !control.isHalfChanged, !writer.isShort,
      writer.debt < LogWriter.mostDebt, writer.held.isEmpty,
      tail.offset > 0, !needsNewSegment.load(ordering: .acquiring),
      segments.opened(tail.segment)?.isOurs.load(ordering: .relaxed) == true
    else { return false }
    let segmentSize = segmentSize
    // With less space left, `makeRoom` would have to evict entries.
    guard tail.offset + length <= segmentSize,
      options.limit.map({
        control.logBytes + control.fileBytes + length + SegmentHeader.size <= $0 - segmentSize / 4 * 5
      }) ?? true
    else { return false }
    // If the replaced value has its own file, the write would have to delete that file.
    return control.fileBytes == 0 || index.find(fingerprint(entry.key))?.location.isFile != true
  }

  /// Returns whether the folder is still at its path, if the next change has to check that. The path was last looked up
  /// a few changes ago, so the system has it in memory.
  private func isInPlace(_ writer: inout LogWriter) throws -> Bool {
    guard (writer.changes + 1).isMultiple(of: LogWriter.changesBetweenLooks) else { return true }
    guard writer.looksBeforeCheck > 0, try control.isInPlace() else { return false }
    keepRoom(&writer)
    return true
  }
}
