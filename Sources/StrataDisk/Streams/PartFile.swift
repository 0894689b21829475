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

/// The open file of a value that was written as a stream. While it is open, the value can be read, even if the file has
/// been deleted.
final class PartFile: Sendable {
  let table: PartTable
  /// Numbers that no other file has.
  let identity: [UInt64]
  /// The time when the value was written.
  let modified: Date
  private let file: File

  /// Opens the file at a path. Throws an `EntryFlaw` if it is missing, or has another length than its table says.
  init(_ path: String, _ table: PartTable) throws {
    guard let file = try File.regular(path) else { throw EntryFlaw.damaged("its file is missing") }
    let status = try file.regularStatus()
    guard status.size == table.length else {
      throw EntryFlaw.damaged("its file is \(status.size) bytes long, and must have \(table.length)")
    }
    self.table = table
    self.file = file
    identity = status.identity
    modified = Date(timeIntervalSince1970: Double(status.modified) / 1e9)
  }

  var path: String { file.path }

  /// Returns a file that is kept in place; `nil` if it has been deleted.
  func held() throws(SystemError) -> HeldFile? { try HeldFile(path, identity: identity) }

  /// Reads a part, which fills the buffer, and verifies it.
  func read(_ part: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    let range = table.range(of: part)
    guard try file.read(into: buffer, at: range.lowerBound) == range.count else {
      throw EntryFlaw.damaged("its file became shorter while it was read")
    }
    guard PartTable.sum(UnsafeRawBufferPointer(buffer)) == table.sums[part] else {
      throw EntryFlaw.damaged(
        "the checksum of its bytes from \(range.lowerBound) to \(range.upperBound) does not match")
    }
  }

  /// Returns the bytes of a range of the value that are in a part, if all of the part is in the page cache and sound.
  func cachedBytes(of range: Range<Int>, in part: Int, _ pages: Pages) throws -> Data? {
    let all = table.range(of: part)
    return try file.whenCached {
      try pages.data(all.count, of: table.partLength, wanted: Self.wanted(range, in: all)) { buffer in
        guard try file.readCached(into: buffer, at: all.lowerBound) == all.count,
          PartTable.sum(UnsafeRawBufferPointer(buffer)) == table.sums[part]
        else { throw SystemError("preadv2", path, EAGAIN) }
      }
    }
  }

  private static func wanted(_ range: Range<Int>, in part: Range<Int>) -> Range<Int> {
    let wanted = range.clamped(to: part)
    return wanted.lowerBound - part.lowerBound..<wanted.upperBound - part.lowerBound
  }

  /// Returns the bytes of a range of the value that are in a part, after it has been read and verified.
  func bytes(of range: Range<Int>, in part: Int, _ pages: Pages) throws -> Data {
    let all = table.range(of: part)
    return try pages.data(all.count, of: table.partLength, wanted: Self.wanted(range, in: all)) {
      try read(part, into: $0)
    }
  }

  /// Returns the whole value, after it has been verified.
  func data() throws -> Data {
    try Data(filling: table.length, from: path) { bytes in
      for part in table.sums.indices { try read(part, into: bytes.part(table.range(of: part))) }
    }
  }

  /// Reads the whole value at a path, and returns what is wrong with it; `nil` if it is sound.
  static func flaw(at path: String, _ table: PartTable?) throws -> String? {
    do {
      guard let table else { return "its record names no file" }
      let file = try PartFile(path, table)
      let pages = Pages()
      for part in table.sums.indices { _ = try file.bytes(of: 0..<table.length, in: part, pages) }
      return nil
    } catch let flaw as EntryFlaw {
      return flaw.reason
    }
  }
}
