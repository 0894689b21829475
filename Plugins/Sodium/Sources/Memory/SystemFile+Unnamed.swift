import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension SystemFile {
  /// Returns a file without a name in the folder of `target`, or `nil` if the system or the file system has none. The
  /// system deletes it when it is closed or the process dies.
  static func unnamed(beside target: String) -> SystemFile? {
    #if os(Linux)
      // The value of O_TMPFILE, which Swift does not import.
      let descriptor = open(
        folder(of: target), O_WRONLY | O_DIRECTORY | O_CLOEXEC | 0o20_000_000, 0o600)
      guard descriptor >= 0 else { return nil }
      let file = SystemFile(descriptor: descriptor, path: target)
      // `link(as:)` needs this path.
      guard access(file.descriptorPath, F_OK) == 0 else { return nil }
      return file
    #else
      return nil
    #endif
  }

  /// Gives an unnamed file a name. Returns `false` if another file has the name.
  func link(as path: String) throws -> Bool {
    if linkat(AT_FDCWD, descriptorPath, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return true }
    if errno == EEXIST { return false }
    throw Self.failure("name", path, errno)
  }

  private var descriptorPath: String { "/proc/self/fd/\(descriptor)" }

  /// Locks the file until it is closed or the process dies. Returns `false` if another process has locked it.
  func claim() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}

/// The output file of a stream. `publish` puts the complete file in place of the target; without it, nothing is left.
///
/// Where the system supports it, the file has no name before `publish`, so that nothing is left even if the process is
/// killed. Elsewhere, and for a moment while it replaces a file, its name is `<target>.<UUID>.partial`. The next stream
/// to the same target deletes such files of killed processes.
struct OutputFile: ~Copyable {
  private let target: String
  private let file: SystemFile
  /// The temporary name, if the file has one.
  private var partial: String?

  init(replacing target: String) throws {
    self.target = target
    try Self.removeLeftovers(of: target)
    if let unnamed = SystemFile.unnamed(beside: target) {
      file = unnamed
    } else {
      let name = Self.partialName(of: target)
      file = try SystemFile(name, O_WRONLY | O_CREAT | O_EXCL)
      partial = name
    }
    _ = file.claim()
  }

  deinit { if let partial { unlink(partial) } }

  func append(_ data: Data) throws { try data.withUnsafeBytes { try file.append($0) } }

  /// Makes the file durable and renames it to the target.
  mutating func publish() throws {
    try file.synchronize()
    let isInPlace = try partial == nil && file.link(as: target)
    if !isInPlace {
      let name = partial ?? Self.partialName(of: target)
      if partial == nil, try !file.link(as: name) {
        throw StorageError.backendFailed.with("a file with this new random name exists already", place: name)
      }
      partial = name
      try SystemFile.rename(name, to: target)
      partial = nil
    }
    try SystemFile.synchronizeFolder(of: target)
  }

  private static func partialName(of target: String) -> String { "\(target).\(UUID().uuidString).partial" }

  /// Deletes partial files of this target that killed processes left.
  private static func removeLeftovers(of target: String) throws {
    let folder = SystemFile.folder(of: target)
    let start = "\(target.split(separator: "/").last ?? "")."
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      // A folder that cannot be listed may still be writable; if not, creating the file fails.
      return
    }
    for name in names where name.hasPrefix(start) && name.hasSuffix(".partial") {
      guard UUID(uuidString: String(name.dropFirst(start.count).dropLast(".partial".count))) != nil else {
        continue
      }
      let path = "\(folder)/\(name)"
      // A process that still writes the file has locked it.
      let isInUse: Bool
      do { isInUse = try !SystemFile(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK).claim() } catch {
        // Another process deleted the file first, or this process may not delete it.
        continue
      }
      if !isInUse { unlink(path) }
    }
  }
}
