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

/// A file that is being written under a unique name. It is deleted unless it is moved to its final path.
///
/// It is locked while it is open, so until the system has closed the files of a killed process. A temporary file that
/// can be locked is therefore a leftover.
struct TemporaryFile: ~Copyable {
  private let file: File

  /// Creates an empty file in a folder.
  init(in folder: String) throws(SystemError) {
    while true {
      let path = "\(folder)/\(EntryName.temporary())"
      let file = try File(path, O_RDWR | O_CREAT | O_EXCL)
      // A process that deletes leftovers may lock or delete the file between the two calls; then another file is made.
      let isOurs: Bool
      do throws(SystemError) {
        let isLocked = try file.tryLock()
        let isGone = try file.status().isUnlinked
        isOurs = isLocked && !isGone
      } catch {
        unlink(path)
        throw error
      }
      if isOurs {
        self.file = file
        return
      }
    }
  }

  deinit { delete() }

  /// Deletes the file. After a move the temporary name is gone, and this does nothing.
  func delete() { unlink(file.path) }

  var path: String { file.path }

  func write(_ head: [UInt8], _ value: Data) throws(SystemError) {
    let result = value.withUnsafeBytes { value in
      head.withUnsafeBytes { head in Result { () throws(SystemError) in try file.write(head, value) } }
    }
    try result.get()
    try file.finishWriting()
  }

  /// Writes bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    try file.write(bytes, at: offset)
  }

  /// Makes the system begin to write bytes to the disk.
  func startFlushing(_ range: Range<Int>) { file.startFlushing(range) }

  /// Returns written bytes, at most `count`.
  func bytes(_ count: Int, at offset: Int) throws(SystemError) -> Data {
    try file.data(count, at: offset)
  }

  func setPermissions(_ mode: mode_t) throws(SystemError) {
    if chmod(path, mode) == -1 { throw SystemError("chmod", path) }
  }

  /// Throws the error that closing the file would.
  func finishWriting() throws(SystemError) { try file.finishWriting() }

  /// Moves the file to a path, and unlocks it, since it is no temporary file any more.
  func hand(to path: String) throws(SystemError) {
    try move(to: path)
    file.unlock()
  }

  /// Makes the file at a path, to which it was handed, the temporary file again.
  func take(from path: String) throws(SystemError) {
    _ = try file.tryLock()
    if rename(path, file.path) == -1 { throw SystemError("rename", path) }
  }

  /// Returns when all written bytes are on stable storage.
  func sync() throws(SystemError) { try file.sync() }

  /// Moves the file to a path, atomically replacing a file there.
  func move(to path: String) throws(SystemError) {
    if rename(file.path, path) == -1 { throw SystemError("rename", path) }
  }

  /// Deletes a temporary file, unless a process is still writing it or this process may not open it.
  static func removeLeftover(_ path: String) throws(SystemError) {
    // The file stays locked until it is deleted: otherwise the process that makes it could lock it in between.
    guard let file = try? File(path, O_WRONLY), try file.tryLock() else { return }
    if unlink(file.path) == -1, errno != ENOENT { throw SystemError("unlink", path) }
  }

  /// Returns whether no process is writing a temporary file any more; `false` if it cannot be opened.
  static func isLeftover(_ path: String) throws(SystemError) -> Bool {
    guard let file = try? File(path, O_WRONLY) else { return false }
    return try file.tryLock()
  }
}
