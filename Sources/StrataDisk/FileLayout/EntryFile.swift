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

/// The open file of an entry, with its head read and checked.
struct EntryFile: ~Copyable {
  let header: EntryHeader
  /// The UTF-8 of the key, as stored in the file.
  let key: [UInt8]

  private let file: File
  /// The beginning of the file, as read by the first call: the whole of a small entry.
  private let start: [UInt8]

  /// Opens a file and reads its head; `nil` if there is no such file.
  ///
  /// Throws an `EntryFlaw` if the file is not a sound entry, and a `SystemError` if it cannot be read.
  init?(_ path: String) throws {
    guard let file = try File.regular(path) else { return nil }
    let status = try file.regularStatus()
    let start = try file.bytes(4096, at: 0)
    let header = try start.withUnsafeBytes { try EntryHeader($0, fileSize: status.size) }
    let keyBytes = EntryHeader.size..<EntryHeader.size + header.keyLength
    let key =
      keyBytes.upperBound <= start.count
      ? Array(start[keyBytes]) : try file.bytes(keyBytes.count, at: keyBytes.lowerBound)
    try key.withUnsafeBytes { try header.check(key: $0) }
    self.file = file
    self.start = start
    self.header = header
    self.key = key
  }

  var path: String { file.path }

  /// Reads and verifies the value.
  func value() throws -> Data { try header.namesParts ? parts().data() : contents() }

  /// The bytes of the entry's files.
  func size() throws -> Int { try header.fileSize + (table()?.length ?? 0) }

  /// Reads the table of a value that was written as a stream; `nil` for any other value.
  func table() throws -> PartTable? {
    guard header.namesParts else { return nil }
    guard let table = try contents().withUnsafeBytes({ PartTable($0) }) else {
      throw EntryFlaw.damaged("its table of parts is impossible")
    }
    return table
  }

  /// Opens the file that contains the value and nothing else. Only for a value that was written as a stream.
  func parts() throws -> PartFile {
    guard let table = try table() else { throw EntryFlaw.damaged("it has no table of parts") }
    return try PartFile(partsPath(table.number), table)
  }

  /// Returns the path of the file that contains the value and nothing else.
  func partsPath(_ number: UInt64) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = EntryFolder(path: String(path[..<end]))
    return folder.values.path(of: EntryName.plainValue(number, of: String(path[path.index(after: end)...])))
  }

  /// Reads and verifies the bytes behind the key.
  private func contents() throws -> Data {
    try Data(filling: header.valueLength, from: path) { bytes in
      let offset = EntryHeader.size + header.keyLength
      let known = start.dropFirst(offset)
      bytes.copyBytes(from: known)
      try header.readValue(into: bytes, from: known.count) { piece, start in
        if try file.read(into: piece, at: offset + start) < piece.count { throw EntryFlaw.cutShort }
      }
    }
  }

  /// Returns a version that differs from the versions of files that replace this one: the file's identity and header.
  func version() throws(SystemError) -> EntryVersion {
    let status = try file.status()
    let header = start.prefix(EntryHeader.size).withUnsafeBytes { bytes in
      (0..<EntryHeader.size / 8).map { bytes.number(at: 8 * $0) as UInt64 }
    }
    return EntryVersion(bits: status.identity + header)
  }

  /// Marks the file as used now.
  func touch() { file.touch() }
}

extension FileStatus {
  /// The error for a path that is not a regular file.
  var flaw: EntryFlaw { .damaged("\(kind) is in its place") }
}

extension EntryFlaw {
  fileprivate static let cutShort = EntryFlaw.damaged("it became shorter while it was read")
}
