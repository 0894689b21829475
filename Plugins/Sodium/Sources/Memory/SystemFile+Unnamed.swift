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
  /// A file without a name, in the folder of `target`, that the system deletes when it is closed or the process dies;
  /// `nil` where the system or the file system has none.
  static func unnamed(beside target: String) -> SystemFile? {
    #if os(Linux)
      // O_TMPFILE, which Swift does not import.
      let descriptor = open(
        folder(of: target), O_WRONLY | O_DIRECTORY | O_CLOEXEC | 0o20_000_000, 0o600)
      guard descriptor >= 0 else { return nil }
      let file = SystemFile(descriptor: descriptor, path: target)
      // It is given a name by way of this one.
      guard access(file.descriptorPath, F_OK) == 0 else { return nil }
      return file
    #else
      return nil
    #endif
  }

  /// Gives a file without a name its first one; returns `false` if another file has that.
  func link(as path: String) throws -> Bool {
    if linkat(AT_FDCWD, descriptorPath, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return true }
    if errno == EEXIST { return false }
    throw Self.failure("name", path, errno)
  }

  private var descriptorPath: String { "/proc/self/fd/\(descriptor)" }

  /// Marks the file as in use until it is closed, or the process dies. Returns whether nobody else has.
  func claim() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}

/// The file that a stream is written to. It takes the place of another when it is whole; if it never is, nothing of it
/// stays.
///
/// Where the system can, it has no name until then, so that nothing stays even if the process is killed. Elsewhere, and
/// for a moment where it replaces a file, it is named `<target>.<UUID>.partial`; the next stream to the same target
/// deletes what was left behind.
struct OutputFile: ~Copyable {
  private let target: String
  private let file: SystemFile
  /// The name that it has meanwhile.
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

  /// Puts the file in its place, on the disk.
  mutating func publish() throws {
    try file.synchronize()
    let isInPlace = try partial == nil && file.link(as: target)
    if !isInPlace {
      let name = partial ?? Self.partialName(of: target)
      if partial == nil, try !file.link(as: name) {
        throw StorageError.backendFailed.with("another file has a name that was just made up", place: name)
      }
      partial = name
      try SystemFile.rename(name, to: target)
      partial = nil
    }
    try SystemFile.synchronizeFolder(of: target)
  }

  private static func partialName(of target: String) -> String { "\(target).\(UUID().uuidString).partial" }

  /// Deletes what processes left behind that were killed on the way to this target.
  private static func removeLeftovers(of target: String) throws {
    let folder = SystemFile.folder(of: target)
    let start = "\(target.split(separator: "/").last ?? "")."
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      // A folder that cannot be listed may be written all the same; if not, that is said when it is.
      return
    }
    for name in names where name.hasPrefix(start) && name.hasSuffix(".partial") {
      guard UUID(uuidString: String(name.dropFirst(start.count).dropLast(".partial".count))) != nil else {
        continue
      }
      let path = "\(folder)/\(name)"
      // Whoever still writes it has claimed it.
      let isInUse: Bool
      do { isInUse = try !SystemFile(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK).claim() } catch {
        // Another process was quicker, or it is none of ours.
        continue
      }
      if !isInUse { unlink(path) }
    }
  }
}
