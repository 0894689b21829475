#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension LogOptions {
  /// Copies damaged bytes of a segment to a file in `Damaged`, and returns the error to report. If copying fails, the
  /// error has a cause, and the bytes must stay where they are.
  func keepDamage(
    _ bytes: [UInt8], of segment: Segment, at offset: Int, _ reason: String
  ) -> StorageError {
    let shelf = EntryFolder(path: folder.path(of: EntryName.damaged))
    let error = StorageError.malformedFileAttributes
    do throws(SystemError) {
      if folder.isReadOnly { throw SystemError("open", shelf.path, EROFS) }
      try shelf.make()
      let kept = shelf.path(of: EntryName.setAside("\(EntryName.segment(segment.number)).\(offset)"))
      let file = try File(kept, O_WRONLY | O_CREAT | O_EXCL)
      try protection.protect(kept)
      try file.write(bytes, at: 0)
      return error.with(
        "\(bytes.count) bytes of the log, from \(offset) on, are damaged: \(reason); they were copied to \(kept)",
        place: segment.path)
    } catch {
      return folder.unmoved(
        "\(bytes.count) bytes of the log, from \(offset) on, are damaged: \(reason)", segment.path, error)
    }
  }
}
