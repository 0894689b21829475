#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataEngines

/// An open file that other programs may change. While it is open, it can be read, even if it has been deleted.
final class OpenPlainFile: Sendable {
  let length: Int
  /// The time of the last change, in nanoseconds since 1970.
  private let time: Int
  private let file: File

  init(_ file: consuming File, _ status: FileStatus) {
    self.file = file
    length = status.size
    time = status.modified
  }

  var modified: Date { Date(timeIntervalSince1970: Double(time) / 1e9) }

  /// Returns the bytes of a range that are in a part. Throws if the file has been changed since it was opened: then its
  /// parts do not belong together.
  func bytes(of range: Range<Int>, in part: Int, _ buffers: PartBuffers) throws -> Data {
    let size = StoredBytes.partSize
    let wanted = range.clamped(to: part * size..<(part + 1) * size)
    return try buffers.data(wanted.count, wanted: 0..<wanted.count) { memory in
      let count = try file.read(into: memory, at: wanted.lowerBound)
      let status = try file.status()
      guard count == wanted.count, status.size == length, status.modified == time else {
        throw StorageError.backendFailed.with(
          "another program changed the file while it was read: read it again", place: file.path)
      }
    }
  }
}
