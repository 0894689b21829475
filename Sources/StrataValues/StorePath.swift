#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The handling of paths that users pass to stores on disk. `~` is not expanded.
package enum StorePath {
  /// Returns the absolute path, so that a change of the working directory does not move the store. Throws
  /// `.invalidConfiguration` if the text is not a path.
  package static func absolute(_ path: String) throws(StorageError) -> String {
    if path.isEmpty || path.utf8.contains(0) {
      throw .invalidConfiguration.with(
        "\(String(reflecting: path)) is not a valid path: it is empty or contains a NUL", place: path)
    }
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { throw refused("find the working directory", errno, path) }
    defer { free(current) }
    let folder = String(cString: current)
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// Creates a folder and its parents, accessible to the user only, unless it exists.
  package static func makeFolder(_ path: String) throws(StorageError) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    switch code {
    case EEXIST:
      if FileIdentity(path: path)?.isFolder == true { return }
      throw refused("make the folder", ENOTDIR, path)
    case ENOENT:
      guard try makeFolder(of: path) else { throw refused("make the folder", code, path) }
      // Another process may have created it meanwhile.
      if mkdir(path, 0o700) == -1, errno != EEXIST { throw refused("make the folder", errno, path) }
    default:
      // The folder may exist even if it may not be created.
      if FileIdentity(path: path)?.isFolder == true { return }
      throw refused("make the folder", code, path)
    }
  }

  /// Creates the folder that holds a file or a folder. Returns `false` if the path names none.
  @discardableResult
  package static func makeFolder(of path: String) throws(StorageError) -> Bool {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
    try makeFolder(String(path[..<slash]))
    return true
  }

  private static func refused(_ aim: String, _ code: CInt, _ path: String) -> StorageError {
    .backendFailed.with("cannot \(aim): \(systemReason(code)) (errno \(code))", place: path)
  }
}
