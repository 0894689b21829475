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

/// A file that is being written under a name of its own. Unless it is moved to its place, it disappears.
///
/// While it is open it is locked, also after its process was killed and until the system has closed its files. A
/// temporary file that can be locked is therefore a leftover that nobody will finish.
struct TemporaryFile: ~Copyable {
  private let file: File

  /// Makes an empty file in a folder.
  init(in folder: String) throws(SystemError) {
    while true {
      let path = "\(folder)/\(EntryName.temporary())"
      let file = try File(path, O_WRONLY | O_CREAT | O_EXCL)
      // Somebody who clears away leftovers can be quicker between the two calls; then this one is lost.
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

  /// After a move nothing has the temporary name any more, and there is nothing to unlink.
  deinit { unlink(file.path) }

  var path: String { file.path }

  func write(_ head: [UInt8], _ value: Data) throws(SystemError) {
    let result = value.withUnsafeBytes { value in
      head.withUnsafeBytes { head in Result { () throws(SystemError) in try file.write(head, value) } }
    }
    try result.get()
    try file.finishWriting()
  }

  /// Returns when what was written is on stable storage.
  func sync() throws(SystemError) { try file.sync() }

  /// Puts the file in place of what has the name, in one step.
  func move(to path: String) throws(SystemError) {
    if rename(file.path, path) == -1 { throw SystemError("rename", path) }
  }

  /// Deletes a temporary file, unless somebody is still writing it or it is none of ours to open.
  static func removeLeftover(_ path: String) throws(SystemError) {
    if try isLeftover(path), unlink(path) == -1, errno != ENOENT { throw SystemError("unlink", path) }
  }

  /// Whether nobody is writing a temporary file any more, as far as can be found out.
  static func isLeftover(_ path: String) throws(SystemError) -> Bool {
    guard let file = try? File(path, O_WRONLY) else { return false }
    return try file.tryLock()
  }
}
