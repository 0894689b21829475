#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lock of a folder with the layout `.files`, against other processes and other stores. It is taken on the folder
/// itself, so that no lock file is needed. It is released when this object is destroyed or the process dies.
///
/// If the folder is missing, unreadable, or on a file system without such locks, nothing is locked and no store is
/// excluded.
final class FolderLock: Sendable {
  private let folder: File?

  init(of folder: EntryFolder) throws(SystemError) {
    do throws(SystemError) {
      let file = try File(folder.path, O_RDONLY)
      try file.lock()
      self.folder = consume file
    } catch let error where Self.codes.contains(error.code) {
      self.folder = nil
    }
  }

  private static let codes: Set<CInt> = [ENOENT, ENOTDIR, ELOOP, EACCES, EBADF, EINVAL, ENOLCK, EOPNOTSUPP]
}
