#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lock of a folder with the layout `.files`, against other processes and other stores: that of the folder itself,
/// so that no file is needed which is no entry. It is given back when this object goes, or the process dies.
///
/// Where the folder is missing, may not be read, or cannot be locked on its file system, there is none, and nothing is
/// kept out.
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
