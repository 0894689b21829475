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

/// Reads facts about files and folders. Changes nothing.
enum Paths {
  enum Kind { case file, folder, other }

  /// Returns the kind of file at a path, following symlinks, or `nil` if there is none or its folder may not be read.
  static func kind(_ path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  static func isFile(_ path: String) -> Bool { kind(path) == .file }
  static func isFolder(_ path: String) -> Bool { kind(path) == .folder }

  /// Returns the absolute path of a file, which may not exist yet, without the symlinks of its existing part.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else {
      // The last component does not exist yet, but its folder may.
      let (folder, name) = split(path)
      return folder == "/" || path == "/" ? path : absolute(folder) + "/" + name
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the folder of a path, and its last component.
  static func split(_ path: String) -> (folder: String, name: String) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (
      slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...])
    )
  }

  /// Returns the names of the files in a folder, or an empty array if it cannot be listed.
  static func names(in folder: String) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
  }

  /// Returns at most `count` first bytes of a file, or an empty array if it cannot be read.
  static func head(_ path: String, _ count: Int) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, read(file, buffer.baseAddress, count))
    }
  }

  /// Returns the bytes that the files at a path and below it take on the disk, and a number that changes when a file is
  /// added, removed or written to.
  static func usage(_ path: String) -> (bytes: Int, mark: Int) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return (0, 0) }
    var (bytes, mark) = (Int(status.st_blocks) * 512, 0)
    mark = Int(status.st_size) &* 31 &+ Int(status.st_ino) &+ modified(status)
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in names(in: path).sorted() {
        let inner = usage("\(path)/\(name)")
        bytes += inner.bytes
        mark = mark &* 31 &+ inner.mark
      }
    }
    return (bytes, mark)
  }

  /// Returns whether a file at a path or below it has more bytes than the limit. Files with the ending are left out.
  static func hasFile(at path: String, largerThan limit: Int, except ending: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFDIR {
      return names(in: path).contains { hasFile(at: "\(path)/\($0)", largerThan: limit, except: ending) }
    }
    return status.st_size > limit && !path.hasSuffix(ending)
  }

  private static func modified(_ status: stat) -> Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec &* 1_000_000_007 &+ status.st_mtimespec.tv_nsec
    #else
      status.st_mtim.tv_sec &* 1_000_000_007 &+ status.st_mtim.tv_nsec
    #endif
  }

  /// Returns the other processes that have a file at a path or below it open, as far as this user may look at them.
  /// Returns none on systems without `/proc`.
  static func users(of path: String) -> [(process: Int, name: String)] {
    let place = absolute(path)
    var found: [(Int, String)] = []
    for text in names(in: "/proc") {
      guard let process = Int(text), process != Int(getpid()) else { continue }
      let files = names(in: "/proc/\(text)/fd").map { "/proc/\(text)/fd/\($0)" }
      let isUser = files.contains { file in
        guard let target = link(file) else { return false }
        // SQLite has further files, whose names are the database's name and a suffix such as -wal.
        return target == place || target.hasPrefix(place + "/") || target.hasPrefix(place + "-")
      }
      if !isUser { continue }
      let name = String(decoding: head("/proc/\(text)/comm", 64).prefix { $0 != 0x0A }, as: UTF8.self)
      found.append((process, name))
    }
    return found.sorted { $0.0 < $1.0 }
  }

  private static func link(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
