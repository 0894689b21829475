#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension LogSession {
  /// Restores the file of the last segment after another program has deleted or replaced it.
  func restoreTail() throws {
    let tail = control.tail
    // A process that rebuilds the control file also replaces the segment, which this process must then not write to.
    try holdPlace()
    if tail.offset > 0, let segment = try soundSegment(tail.segment) {
      if try segment.file.isUnlinked() { return try restore(segment, upTo: tail.offset) }
      // The machine stopped while a process was about to replace the segment.
      try segment.setClosed(false)
    }
    // The segment has only just been made.
    segments.drop(tail.segment)
    segments.drop(tail.segment + 1)
  }

  /// Restores a segment that another program has deleted while it is open here, and reports the deletion. For use
  /// inside `change`.
  ///
  /// Without this, records written to it would be lost when the last process closes it.
  func restore(_ segment: Segment, upTo end: Int) throws {
    try holdPlace()
    segments.drop(segment.number)
    // Another process may already have restored it.
    if try FileStatus(of: segment.path) != nil { return }
    let bytes = try segment.bytes(0..<end)
    guard bytes.count == end else { throw StaleSession() }
    let copy = try TemporaryFile(in: folder.path)
    try copy.write([], Data(bytes))
    if control.keepsStable { try copy.file.sync() }
    try copy.move(to: segment.path)
    if control.keepsStable { try folder.sync() }
    note(
      .malformedFileAttributes.with(
        "another program deleted a segment of the log; it was restored from the open file, and nothing is lost",
        place: segment.path))
  }
}
