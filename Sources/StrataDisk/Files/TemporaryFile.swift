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
  let file: File

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

  /// Returns a new file in a folder with a head and a value; with `.power`, on stable storage.
  static func written(
    _ head: [UInt8], _ value: Data, in folder: EntryFolder, _ protection: FileProtection,
    _ durability: DiskDurability
  ) throws(SystemError) -> TemporaryFile {
    let file = try TemporaryFile(in: folder.path)
    try protection.protect(file.path)
    try file.write(head, value)
    if durability == .power { try file.file.sync() }
    return file
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

  func setPermissions(_ mode: mode_t) throws(SystemError) {
    if chmod(path, mode) == -1 { throw SystemError("chmod", path) }
  }

  /// Makes the file at a path, to which it was handed, the temporary file again.
  func take(from path: String) throws(SystemError) {
    _ = try file.tryLock()
    if rename(path, file.path) == -1 { throw SystemError("rename", path) }
  }

  /// Moves the file to a path, atomically replacing a file there.
  func move(to path: String) throws(SystemError) {
    if rename(file.path, path) == -1 { throw SystemError("rename", path) }
  }

  /// Moves the file to a path in a folder, which is created if it is missing.
  func move(to path: String, in folder: EntryFolder) throws(SystemError) {
    do throws(SystemError) {
      try move(to: path)
    } catch let error where error.code == ENOENT {
      try folder.make()
      try move(to: path)
    }
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
