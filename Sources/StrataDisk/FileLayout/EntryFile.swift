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

/// The file of an entry, open, with its head read and checked.
struct EntryFile: ~Copyable {
  let header: EntryHeader
  /// The text of the key, as it stands in the file.
  let key: [UInt8]

  private let file: File
  /// The beginning of the file, as much as one read brought: the whole of a small entry.
  private let start: [UInt8]

  /// Opens a file and reads its head; `nil` if nothing has the name.
  ///
  /// Throws an `EntryFlaw` if it is no sound entry, and a `SystemError` if that could not be found out.
  init?(_ path: String) throws {
    guard let file = try Self.open(path) else { return nil }
    let status = try file.status()
    guard status.isRegular else { throw status.flaw }
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

  /// Reads the value and checks it.
  func value() throws -> Data {
    let length = header.valueLength
    guard let memory = malloc(max(length, 1)) else { throw SystemError("malloc", file.path) }
    do {
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: length)
      let offset = EntryHeader.size + header.keyLength
      let known = start.dropFirst(offset)
      bytes.copyBytes(from: known)
      try header.readValue(into: bytes, from: known.count) { piece, start in
        if try file.read(into: piece, at: offset + start) < piece.count { throw EntryFlaw.cutShort }
      }
    } catch {
      free(memory)
      throw error
    }
    // Now, and not before: a `Data` of few bytes copies them and frees the memory.
    return Data(bytesNoCopy: memory, count: length, deallocator: .free)
  }

  /// What tells the file from those that take its place: its number, when it was made, and what it holds.
  func version() throws(SystemError) -> EntryVersion {
    let status = try file.status()
    let header = start.prefix(EntryHeader.size).withUnsafeBytes { bytes in
      (0..<EntryHeader.size / 8).map { bytes.number(at: 8 * $0) as UInt64 }
    }
    return EntryVersion(bits: status.identity + header)
  }

  /// Makes the file one that was used just now.
  func touch() { file.touch() }

  private static func open(_ path: String) throws -> File? {
    do throws(SystemError) {
      return try File(path, O_RDONLY)
    } catch let error where error.code == ENOENT {
      return nil
    } catch {
      if let status = try FileStatus(of: path), !status.isRegular { throw status.flaw }
      throw error
    }
  }
}

extension FileStatus {
  /// Why this cannot be an entry, where it is no regular file.
  var flaw: EntryFlaw { .damaged("\(kind) stands in its place") }
}

extension EntryFlaw {
  fileprivate static let cutShort = EntryFlaw.damaged("it became shorter while it was read")
}
