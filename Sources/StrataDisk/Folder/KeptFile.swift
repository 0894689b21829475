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

/// A folder with a temporary name that contains one file, which stays in place until `delete` is called.
///
/// The folder is locked as long as this object exists. One that can be locked is the leftover of a killed process.
final class KeptFile: Sendable {
  let path: String
  private let place: File

  /// Creates the folder, without the file yet, in another folder.
  init(_ name: String, in folder: String) throws(SystemError) {
    while true {
      let path = "\(folder)/\(EntryName.temporary())"
      // The file's own permissions say who may read it.
      if mkdir(path, 0o755) == -1 { throw SystemError("mkdir", path) }
      // A process that deletes leftovers may delete the folder before it is locked; then another one is made.
      if let place = try File.existing(path), try place.tryLock(), try FileStatus(of: path) != nil {
        self.path = "\(path)/\(name)"
        self.place = place
        return
      }
    }
  }

  /// Deletes the file and the folder. A failure is ignored: a later store deletes leftovers.
  func delete() {
    unlink(path)
    rmdir(place.path)
  }

  /// Deletes the folder of a killed process, with its file, unless a process still has it locked. A file with such a
  /// name stays.
  static func removeLeftover(_ path: String) throws(SystemError) {
    guard try FileStatus(of: path)?.isFolder == true, let place = try File.existing(path), try place.tryLock()
    else { return }
    let folder = EntryFolder(path: path)
    let names = try folder.names { _ in true }
    // A folder with more files is not one of these.
    if names.count > 1 { return }
    for name in names { try folder.remove(name) }
    if rmdir(path) == -1, errno != ENOENT { throw SystemError("rmdir", path) }
  }
}

extension FolderStorage {
  /// Returns the file of a value as a file that stays in place: a hard link with the file's name, or a copy among the
  /// system's temporary files if the folder cannot have one. Throws `.notFound` if the file has been replaced or
  /// removed since it was opened.
  func kept(_ file: OpenPlainFile, _ path: String, _ key: String) async throws -> StoredFile {
    let pool = pool
    let linked = try await pool.run { [folder] in
      try explainingFiles("keep the file in place", key: key) { try file.link(path, named: key, in: folder) }
    }
    let kept: KeptFile
    if let linked { kept = linked } else { kept = try await copy(of: file, key) }
    return StoredFile(URL(filePath: kept.path)) { pool.submit { kept.delete() } }
  }

  private func copy(of file: OpenPlainFile, _ key: String) async throws -> KeptFile {
    let kept = try await pool.run {
      try explainingFiles("keep a copy of the file", key: key) {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let kept = try KeptFile(key, in: folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
        _ = try File(kept.path, O_WRONLY | O_CREAT | O_EXCL)
        return kept
      }
    }
    do {
      var end = 0
      let bytes = StoredBytes(length: file.length, open: { self.parts(of: $0, in: file, key) })
      for try await part in bytes {
        let start = end
        end += part.count
        try await pool.run {
          try explainingFiles("keep a copy of the file", key: key) {
            try part.withUnsafeBytes { try File(kept.path, O_WRONLY).write($0, at: start) }
          }
        }
      }
    } catch {
      kept.delete()
      throw error
    }
    return kept
  }
}

extension OpenPlainFile {
  /// Creates a link to the file, which is at a path; `nil` if the file system or its permissions do not allow one.
  fileprivate func link(_ path: String, named name: String, in folder: EntryFolder) throws -> KeptFile? {
    do throws(SystemError) {
      let kept = try KeptFile(name, in: folder.path)
      do throws(SystemError) {
        try EntryFolder.link(path, kept.path)
        if try FileStatus(of: kept.path)?.identity == identity { return kept }
      } catch {
        kept.delete()
        throw error
      }
      kept.delete()
    } catch {
      // Linux lets no user link to another user's file that is read-only to them.
      let forbidden = [EPERM, EACCES, EROFS, EMLINK, EXDEV, ENOTSUP, ENOSYS, EOPNOTSUPP]
      if forbidden.contains(error.code) { return nil }
      if error.code != ENOENT { throw error }
    }
    throw StorageError.notFound.with("the file has been replaced or removed", place: path)
  }
}
