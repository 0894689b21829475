#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension LogSession {
  /// Sees to it that the last segment is there, of which somebody has deleted the file, or put another in its place.
  func restoreTail() throws {
    let tail = control.tail
    // Whoever makes the control file anew replaces the segment: then it is not this process's to write any more.
    try holdPlace()
    if tail.offset > 0, let segment = try soundSegment(tail.segment), try segment.isUnlinked() {
      return try restore(segment, upTo: tail.offset)
    }
    // It has only just been made.
    segments.drop(tail.segment)
    segments.drop(tail.segment + 1)
  }

  /// Writes a segment again that somebody has deleted while this process has it open, and reports that. For use inside
  /// `change`.
  ///
  /// What were written to it otherwise would be lost as soon as the last process closes it.
  func restore(_ segment: Segment, upTo end: Int) throws {
    try holdPlace()
    segments.drop(segment.number)
    // Another process may have been quicker.
    if try FileStatus(of: segment.path) != nil { return }
    let bytes = try segment.bytes(0..<end)
    guard bytes.count == end else { throw StaleSession() }
    let copy = try TemporaryFile(in: folder.path)
    try copy.write([], Data(bytes))
    if control.keepsStable { try copy.sync() }
    try copy.move(to: segment.path)
    if control.keepsStable { try folder.sync() }
    note(
      .malformedFileAttributes.with(
        "somebody deleted a segment of the log; it was written again, since it was still open here. Nothing is lost",
        place: segment.path))
  }
}
