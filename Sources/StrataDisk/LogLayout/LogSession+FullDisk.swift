#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// Removals on a full disk. A removal is appended like a write, so space is reserved for it behind the end of the
/// control file. The reserve is enough to append removals and then to empty a segment, which reclaims the removed
/// bytes.
extension LogSession {
  /// The free bytes of the file system below which space is reserved: a store on a disk with plenty of space reserves
  /// none.
  static let scarce = 4 << 30

  /// The number of bytes to reserve: one and a half times the length of a segment, or of the log if it is shorter.
  private var reserve: Int {
    var size = 1 << 14
    while size < control.logBytes, size < segmentSize { size *= 2 }
    return size + size / 2
  }

  /// Reserves enough for the log's current size, if the disk may become full. On a disk that is already full this
  /// fails, which is not reported until the reserve is needed.
  func keepRoom(_ writer: inout LogWriter) {
    if writer.looksBeforeCheck > 0 { return writer.looksBeforeCheck -= 1 }
    let reserve = reserve
    if control.isReadOnly || reserve <= writer.reserve { return }
    do {
      let free = try control.file?.freeBytes() ?? .max
      if free >= 4 * Self.scarce { writer.looksBeforeCheck = 7 }
      if free >= Self.scarce { return }
      writer.reserve = reserve
      // If the disk has too little room for the whole reserve, a part of it is reserved.
      var size = reserve
      while size >= 4096, try !allocate(size) { size /= 2 }
    } catch {
      // This failure does not concern the write in progress.
    }
  }

  /// Runs `body` as a change that removes entries, then compacts. If the disk is full, releases the reserve and runs it
  /// again.
  func removing(_ body: (inout LogWriter) throws -> Void) throws {
    func remove() throws {
      try change { writer in
        try body(&writer)
        try tidyUp(&writer)
      }
    }
    do {
      try remove()
    } catch let error as SystemError where error.code == ENOSPC || error.code == EDQUOT {
      guard
        try change({ writer in
          writer.isShort = true
          return try control.file?.giveBackRoom(behind: ControlFile.size) ?? false
        })
      else { throw error }
      try remove()
    }
  }

  /// Reserves disk space behind the end of the control file; `false` if there is not enough.
  private func allocate(_ bytes: Int) throws(SystemError) -> Bool {
    try control.file?.keepRoom(bytes, behind: ControlFile.size) ?? false
  }

  /// Empties segments after a removal that used the reserve, until the space can be reserved again.
  func reclaim(_ writer: inout LogWriter) throws {
    guard writer.isShort else { return }
    let reserve = reserve
    var rounds = control.tail.segment - control.oldest + 1
    while try !allocate(reserve) {
      let dead = control.logBytes - view.withLock { $0.liveBytes }
      // Fewer dead bytes are not worth moving a segment.
      guard rounds > 0, dead > reserve / 8, try emptyOldest(.max, &writer) != nil else { return }
      rounds -= 1
    }
    writer.isShort = false
    writer.reserve = reserve
  }
}
