#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// An open file of the log, with its header read and checked. It closes when its last reference is released.
final class Segment: Sendable {
  let header: SegmentHeader
  /// Whether the segment is known to belong to this process's control file: see `LogSession.lastSegment`.
  let isOurs = Atomic(false)
  let file: File

  /// Opens a segment; `nil` if there is none. Throws an `EntryFlaw` if it is damaged, or has another number or
  /// secret.
  init?(_ number: Int, in folder: EntryFolder, secret: Secret?) throws {
    let path = folder.path(of: EntryName.segment(number))
    guard let file = try Self.open(path) else { return nil }
    _ = try file.regularStatus()
    header = try withUnsafeTemporaryAllocation(byteCount: SegmentHeader.size, alignment: 8) { buffer in
      let count = try file.read(into: buffer, at: 0)
      return try SegmentHeader(UnsafeRawBufferPointer(buffer).part(0..<count))
    }
    guard header.number == number else {
      throw EntryFlaw.damaged("it is segment \(header.number) under another name")
    }
    if let secret, header.secret != secret { throw EntryFlaw.damaged("it belongs to another folder") }
    self.file = file
  }

  /// Creates a segment. Throws if a file has its name.
  init(
    making number: Int, in folder: EntryFolder, secret: Secret, version: UInt32 = 1,
    protection: FileProtection
  ) throws(SystemError) {
    header = SegmentHeader(number: number, secret: secret, version: version)
    let path = folder.path(of: EntryName.segment(number))
    file = try File(path, O_RDWR | O_CREAT | O_EXCL)
    do throws(SystemError) {
      try protection.protect(path)
      try file.write(header.bytes, at: 0)
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func open(_ path: String) throws -> File? {
    do {
      return try File.regular(path, O_RDWR)
    } catch let error as SystemError where error.code == EROFS || error.code == EACCES {
      return try File(path, O_RDONLY)
    }
  }

  var number: Int { header.number }
  var path: String { file.path }

  /// Returns the seed of the checksum of a record at an offset.
  func seed(at offset: Int) -> UInt64 { header.seed &+ UInt64(offset) }

  /// Returns whether another program has deleted or replaced the file, or a process is about to replace it.
  func isUnlinkedOrClosed() throws(SystemError) -> Bool { try file.isUnlinkedOrClosed() }

  /// Closes the segment to appends of all processes, or opens it again; see `File.setClosed`.
  @discardableResult
  func setClosed(_ isClosed: Bool) throws(SystemError) -> Bool { try file.setClosed(isClosed) }

  /// Numbers that no other file has.
  func identity() throws(SystemError) -> [UInt64] { try file.status().identity }

  func length() throws(SystemError) -> Int { try file.status().size }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    try file.write(bytes, at: offset)
  }

  /// Returns a part of the file; shorter if the file ends before.
  func bytes(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
    try file.bytes(range.count, at: range.lowerBound)
  }
}
