#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// An open file that other programs may change. While it is open, it can be read, even if it has been deleted.
final class OpenPlainFile: Sendable {
  let length: Int
  let identity: [UInt64]
  /// The time of the last change, in nanoseconds since 1970.
  private let time: Int
  private let file: File

  init(_ file: consuming File, _ status: FileStatus) {
    self.file = file
    length = status.size
    identity = status.identity
    time = status.modified
  }

  var modified: Date { Date(timeIntervalSince1970: Double(time) / 1e9) }

  /// Returns the bytes of a range that are in a part, if they are in the page cache.
  func cachedBytes(of range: Range<Int>, in part: Int, _ pages: Pages) throws -> Data? {
    let wanted = range.clamped(to: Self.range(of: part))
    return try file.whenCached {
      try pages.data(wanted.count, of: StoredBytes.partSize, wanted: 0..<wanted.count) { buffer in
        let count = try file.readCached(into: buffer, at: wanted.lowerBound)
        if count < wanted.count { throw SystemError("preadv2", file.path, EAGAIN) }
        try checkUnchanged()
      }
    }
  }

  private static func range(of part: Int) -> Range<Int> {
    part * StoredBytes.partSize..<(part + 1) * StoredBytes.partSize
  }

  private func checkUnchanged() throws {
    let status = try file.status()
    guard status.size == length, status.modified == time else {
      throw StorageError.backendFailed.with(
        "another program changed the file while it was read: read it again", place: file.path)
    }
  }

  /// Returns the bytes of a range that are in a part. Throws if the file has been changed since it was opened: then its
  /// parts do not belong together.
  func bytes(of range: Range<Int>, in part: Int, _ pages: Pages) throws -> Data {
    let wanted = range.clamped(to: Self.range(of: part))
    return try pages.data(wanted.count, of: StoredBytes.partSize, wanted: 0..<wanted.count) { memory in
      // Fewer bytes are read only if the file has been changed.
      _ = try file.read(into: memory, at: wanted.lowerBound)
      try checkUnchanged()
    }
  }
}
