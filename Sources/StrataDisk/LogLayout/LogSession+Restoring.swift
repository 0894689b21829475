#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension LogSession {
  /// Writes a segment again that somebody has deleted while this process has it open, and reports that. For use inside
  /// `change`.
  ///
  /// What were written to it otherwise would be lost as soon as the last process closes it.
  func restore(_ segment: Segment, upTo end: Int) throws {
    try checkPlace()
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
