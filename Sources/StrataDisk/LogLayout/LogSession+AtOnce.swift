#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// Writes that never wait: neither for the disk nor for a lock that anybody holds who does.
///
/// Such a write is an append to the segment that is open, and nothing else. What comes up now and then, as to begin a
/// segment, to give back space, or to look whether the folder is still in its place, is left to an ordinary write.
extension LogSession {
  /// From how many bytes on a record is left to an ordinary write.
  private static let lengthLimit = 1 << 14

  /// Stores an entry; `false` if that has to wait, or something is wrong: an ordinary write meets it again, and throws
  /// it.
  func storeAtOnce(_ entry: NewEntry) -> Bool {
    guard options.durability == .process, entry.packedLength <= Self.lengthLimit, !options.isFile(entry),
      options.old.isEmpty, knowsAll
    else { return false }
    do {
      return try writer.withLockIfAvailable { writer in
        guard writer.pace.allowsAppend(), control.tryLock() else { return false }
        defer { control.unlock() }
        guard isPlainAppend(entry, writer) else { return false }
        writer.changes += 1
        let start = ContinuousClock.now
        try change(&writer) { try store([entry], [], &$0) }
        writer.pace.note(start.duration(to: .now))
        return true
      } ?? false
    } catch {
      return false
    }
  }

  /// Whether to store an entry is to append it. For whoever has both locks.
  private func isPlainAppend(_ entry: NewEntry, _ writer: borrowing LogWriter) -> Bool {
    let (tail, length) = (control.tail, entry.packedLength)
    guard control.isStillSealed, knowsAll, !control.isHalfChanged, !writer.isShort,
      writer.debt < LogWriter.mostDebt, !(writer.changes + 1).isMultiple(of: LogWriter.changesBetweenLooks),
      tail.offset > 0, !needsNewSegment.load(ordering: .acquiring),
      segments.opened(tail.segment)?.isOurs.load(ordering: .relaxed) == true
    else { return false }
    let segmentSize = segmentSize
    // Beyond that, `makeRoom` would have to give something up.
    guard tail.offset + length <= segmentSize,
      options.limit.map({
        control.logBytes + control.fileBytes + length + SegmentHeader.size <= $0 - segmentSize / 4 * 5
      }) ?? true
    else { return false }
    // The file of what is replaced would have to be deleted.
    return control.fileBytes == 0 || index.find(fingerprint(entry.key))?.location.isFile != true
  }
}
