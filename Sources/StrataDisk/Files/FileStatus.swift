#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The attributes of a file, as `stat` returns them.
struct FileStatus {
  private let status: stat

  init(_ status: stat) { self.status = status }

  /// Creates the status of a path itself, even of a symlink; `nil` if the path does not exist.
  init?(of path: String) throws(SystemError) {
    var status = stat()
    if lstat(path, &status) == -1 {
      let error = SystemError("lstat", path)
      if error.code == ENOENT { return nil }
      throw error
    }
    self.status = status
  }

  var size: Int { Int(status.st_size) }
  /// The bytes that the file takes on disk.
  var allocated: Int { Int(status.st_blocks) * 512 }
  /// Whether the file takes no space on disk.
  var isSparse: Bool { status.st_blocks == 0 }
  var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
  var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
  /// The permission bits.
  var permissions: mode_t { status.st_mode & 0o777 }
  /// Numbers that no other file of this machine has: its device and inode.
  var identity: [UInt64] {
    [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
  }
  /// Whether the file has lost its last name.
  var isUnlinked: Bool { status.st_nlink == 0 }

  /// Whether the file was closed to all processes: see `File.setClosed`.
  var isClosed: Bool { status.st_mode & S_ISVTX != 0 }

  /// The kind of file, for a message.
  var kind: String {
    switch status.st_mode & S_IFMT {
    case S_IFREG: "a file"
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symlink"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// The time of the last modification, in nanoseconds since 1970.
  var modified: Int {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }

  /// The time of the last modification, renaming or move, in nanoseconds since 1970.
  var changed: Int {
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}
