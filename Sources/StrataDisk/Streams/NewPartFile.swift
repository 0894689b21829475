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

/// The file of a value that is being written as a stream. It has a temporary name until it is committed, and is deleted
/// if it is not.
final class NewPartFile: Sendable {
  let number = UInt64.random(in: .min ... .max)
  private let temporary: TemporaryFile
  private let durability: DiskDurability
  private let hasSums: Bool
  /// The checksums of the parts, if any are wanted.
  private let sums = Locked<[UInt64]>([])

  init(in folder: EntryFolder, _ protection: FileProtection, _ durability: DiskDurability) throws(SystemError)
  {
    self.durability = durability
    hasSums = true
    temporary = try TemporaryFile(in: folder.path)
    try protection.protect(temporary.path)
  }

  /// Creates a file without checksums, for other programs.
  init(in folder: EntryFolder, _ durability: DiskDurability) throws(SystemError) {
    self.durability = durability
    hasSums = false
    temporary = try TemporaryFile(in: folder.path)
  }

  /// Records the checksum of the next part.
  func note(_ sum: @autoclosure () -> UInt64) {
    if !hasSums { return }
    let sum = sum()
    sums.withLock { $0.append(sum) }
  }

  /// Writes bytes at an offset.
  func write(_ bytes: Data, at offset: Int) throws {
    try bytes.withUnsafeBytes { try temporary.file.write($0, at: offset) }
    // The commit, for which other writers of the key wait, then has little left to write.
    if durability == .power { temporary.file.startFlushing(offset..<offset + bytes.count) }
  }

  /// Returns at most `count` of the written bytes from an offset on.
  func bytes(_ count: Int, at offset: Int) throws(SystemError) -> Data {
    try temporary.file.data(count, at: offset)
  }

  /// Returns the table of the value, once all parts have been written. With `.power`, they are on stable storage then.
  func finish(length: Int) throws(SystemError) -> PartTable {
    try finish()
    return PartTable(number: number, length: length, sums: sums.withLock { $0 })
  }

  /// Returns once all parts have been written; with `.power`, when they are on stable storage.
  func finish() throws(SystemError) {
    try temporary.file.finishWriting()
    if durability == .power { try temporary.file.sync() }
  }

  func setPermissions(_ mode: mode_t) throws(SystemError) { try temporary.setPermissions(mode) }

  /// Gives the file its final path, and unlocks it, since it is no temporary file any more.
  func move(to path: String) throws(SystemError) {
    try temporary.move(to: path)
    temporary.file.unlock()
  }

  /// Gives the file its final name, and unlocks it.
  func move(to name: String, in folder: EntryFolder) throws(SystemError) {
    try temporary.move(to: folder.path(of: name), in: folder)
    temporary.file.unlock()
  }

  /// Deletes the file, also if other references to this object are not gone yet.
  func delete() { temporary.delete() }

  /// Gives the file its temporary name again, since it was not committed.
  func moveBack(from name: String, in folder: EntryFolder) throws(SystemError) {
    try temporary.take(from: folder.path(of: name))
  }
}
