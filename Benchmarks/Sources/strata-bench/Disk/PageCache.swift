import Foundation

/// The system's page cache.
enum PageCache {
  /// Returns whether the files of a folder can be dropped from the page cache; some systems and file systems do not
  /// allow it.
  static func canDrop(in folder: URL) throws -> Bool {
    let file = folder.appending(path: "probe")
    try Data(repeating: 1, count: 1 << 20).write(to: file)
    defer { unlink(file.path) }
    try drop(file.path)
    return try residentShare(of: file.path) < 0.1
  }

  /// Drops all files in a folder and its subfolders. They are written to the disk first, since unwritten pages cannot
  /// be dropped.
  static func drop(_ folder: URL) throws { try forEachFile(in: folder) { try drop($0) } }

  /// Writes all files in a folder and its subfolders to the disk.
  static func flush(_ folder: URL) throws {
    try forEachFile(in: folder) { path in
      try withDescriptor(path) { if fsync($0) != 0 { throw Failure("cannot write \(path) to the disk") } }
    }
  }

  private static func forEachFile(in folder: URL, _ body: (String) throws -> Void) throws {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      var status = stat()
      guard lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      do { try body(file.path) } catch {
        // A database's background work may have deleted the file meanwhile.
        if lstat(file.path, &status) == 0 { throw error }
      }
    }
  }

  private static func drop(_ path: String) throws {
    #if canImport(Glibc)
      try withDescriptor(path) { descriptor in
        if fsync(descriptor) != 0 || posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) != 0 {
          throw Failure("cannot drop \(path) from the system's memory")
        }
      }
    #endif
  }

  /// Returns the share of a file's pages that are in memory.
  private static func residentShare(of path: String) throws -> Double {
    #if canImport(Glibc)
      try withDescriptor(path) { descriptor in
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        guard let pages = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), pages != MAP_FAILED else {
          throw Failure("cannot map \(path)")
        }
        defer { munmap(pages, size) }
        var states = [UInt8](repeating: 0, count: (size + pageSize - 1) / pageSize)
        if mincore(pages, size, &states) != 0 {
          throw Failure("cannot determine which pages of \(path) are in memory")
        }
        return Double(states.count { $0 & 1 == 1 }) / Double(states.count)
      }
    #else
      1
    #endif
  }

  private static func withDescriptor<R>(_ path: String, _ body: (Int32) throws -> R) throws -> R {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw Failure("cannot open \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    return try body(descriptor)
  }
}
