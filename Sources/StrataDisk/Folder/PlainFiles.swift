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

/// Files that hold the bytes of a value and nothing else, as other programs read and write them.
struct PlainFiles: Sendable {
  let createsFolders: Bool
  let durability: DiskDurability

  /// The bytes of a file; `nil` if nothing has its name.
  func read(_ path: String, in folder: EntryFolder) throws -> Data? {
    guard let file = try Self.open(path) else {
      if !createsFolders { try expectFolder(folder) }
      return nil
    }
    let status = try file.status()
    guard status.isRegular else { throw Self.refusal(status.kind, path) }
    // Somebody may cut the file short meanwhile: then there is less to read.
    return try Data(file.bytes(status.size, at: 0))
  }

  private static func open(_ path: String) throws -> File? {
    do throws(SystemError) {
      return try File(path, O_RDONLY)
    } catch {
      switch error.code {
      case ENOENT: return nil
      case ELOOP: throw refusal("a symlink", path)
      default: throw error
      }
    }
  }

  /// Puts bytes in place of what has a name, in one step. A file that is replaced hands its permissions on; a new one
  /// is its owner's alone.
  func write(_ value: Data, to path: String, in folder: EntryFolder) throws {
    let old = try FileStatus(of: path)
    if let old, !old.isRegular { throw Self.refusal(old.kind, path) }
    if createsFolders { try folder.make() } else { try expectFolder(folder) }
    let file = try TemporaryFile(in: folder.path)
    if let old, chmod(file.path, old.permissions) == -1 { throw SystemError("chmod", file.path) }
    try file.write([], value)
    if durability == .power { try file.sync() }
    try file.move(to: path)
    if durability == .power { try folder.sync() }
  }

  /// Deletes a file, if there is one.
  func remove(_ path: String, in folder: EntryFolder) throws {
    guard let status = try FileStatus(of: path) else {
      if !createsFolders { try expectFolder(folder) }
      return
    }
    guard status.isRegular else { throw Self.refusal(status.kind, path) }
    if unlink(path) == -1, errno != ENOENT { throw SystemError("unlink", path) }
    if durability == .power { try folder.sync() }
  }

  /// Throws if there is no folder, since nobody may make it.
  func expectFolder(_ folder: EntryFolder) throws {
    guard try FileStatus(of: folder.path) == nil else { return }
    throw StorageError.backendFailed.with(
      "the folder is missing; make it, or let the store do so with creatingDirectories", place: folder.path)
  }

  private static func refusal(_ kind: String, _ path: String) -> StorageError {
    .backendFailed.with("\(kind) has the name of the file, and is not touched", place: path)
  }
}

/// Turns what the system says into what a user of a store can understand.
func explainingFiles<R>(
  _ aim: @autoclosure () -> String, key: (any Sendable)? = nil, _ body: () throws -> R
) throws -> R {
  do { return try body() } catch let error as SystemError {
    throw StorageError.backendFailed.with(
      "cannot \(aim()): \(error.reason)", key: key, place: error.path, cause: error)
  } catch let error as StorageError {
    throw error.key == nil && key != nil ? error.with(key: key) : error
  }
}
