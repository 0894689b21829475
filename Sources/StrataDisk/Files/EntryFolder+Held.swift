/// Files that users keep in place: each `StoredFile` has a shared `flock` on its file, which is deleted only with the
/// exclusive one. The system releases the lock of a process that dies.
extension EntryFolder {
  /// Deletes a value's file, if it exists; `false` if a `StoredFile` of this or another process keeps it.
  func removeUnheld(_ name: String) throws(SystemError) -> Bool {
    guard try isPlainFile(name) else {
      try remove(name)
      return true
    }
    // The lock is held until the file is deleted, so that no process obtains the path in between.
    guard let file = try File.existing(path(of: name)) else { return true }
    if try !file.tryLock() { return false }
    try remove(name)
    return true
  }

  /// Returns whether a `StoredFile` keeps a value's file in place. What is no regular file, nobody keeps.
  func isHeld(_ name: String) throws(SystemError) -> Bool {
    guard try isPlainFile(name), let file = try File.existing(path(of: name)) else { return false }
    return try !file.tryLock()
  }

  /// Returns whether a name leads to a regular file that contains a value and nothing else.
  private func isPlainFile(_ name: String) throws(SystemError) -> Bool {
    guard EntryName.isPlainValue(name), let status = try FileStatus(of: path(of: name)) else { return false }
    return status.isRegular
  }

  /// Moves a damaged file of this folder to the `Damaged` of another one. If a `StoredFile` keeps it, its path stays
  /// valid: then the file has both names, and the result is `isHeld`.
  func setAside(_ name: String, to folder: EntryFolder) throws(SystemError) -> (path: String, isHeld: Bool) {
    if try !isHeld(name) { return (try folder.setAside(name, from: self), false) }
    let shelf = EntryFolder(path: folder.path(of: EntryName.damaged))
    try shelf.make()
    let kept = shelf.path(of: EntryName.setAside(name))
    try Self.link(path(of: name), kept)
    return (kept, true)
  }
}

/// A file that is not deleted until it is released.
final class HeldFile: Sendable {
  private let file: File

  /// Keeps the file at a path; `nil` if there is none, another one, or one that is being deleted.
  init?(_ path: String, identity: [UInt64]) throws(SystemError) {
    guard let file = try File.existing(path), try file.tryLockShared() else { return nil }
    let status = try file.status()
    guard status.identity == identity, !status.isUnlinked else { return nil }
    self.file = file
  }

  /// Allows that the file is deleted, also if other references to this object are not gone yet.
  func release() { file.unlock() }
}
