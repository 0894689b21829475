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

/// Reads and writes files that hold the bytes of a value and nothing else, for sharing with other programs.
struct PlainFiles: Sendable {
  let createsFolders: Bool
  let durability: DiskDurability

  /// Returns the bytes of a file; `nil` if it does not exist.
  func read(_ path: String, in folder: EntryFolder) throws -> Data? {
    guard let file = try Self.open(path) else {
      if !createsFolders { try expectFolder(folder) }
      return nil
    }
    let status = try file.status()
    guard status.isRegular else { throw Self.refusal(status.kind, path) }
    // Another program may shorten the file meanwhile; then fewer bytes are read.
    return try Data(file.bytes(status.size, at: 0))
  }

  private static func open(_ path: String) throws -> File? {
    do throws(SystemError) {
      return try File.existing(path)
    } catch let error where error.code == ELOOP {
      throw refusal("a symlink", path)
    }
  }

  /// Writes a file, atomically replacing a previous one. A replacement keeps the permissions of the old file; a new
  /// file is accessible to its owner alone.
  func write(_ value: Data, to path: String, in folder: EntryFolder) throws {
    let permissions = try prepare(path, in: folder)
    let file = try TemporaryFile(in: folder.path)
    if let permissions { try file.setPermissions(permissions) }
    try file.write([], value)
    if durability == .power { try file.file.sync() }
    try file.move(to: path)
    if durability == .power { try folder.sync() }
  }

  /// Creates the folder, if the store may. Returns the permissions of the file that will be replaced, if there is one.
  private func prepare(_ path: String, in folder: EntryFolder) throws -> mode_t? {
    let old = try FileStatus(of: path)
    if let old, !old.isRegular { throw Self.refusal(old.kind, path) }
    if createsFolders { try folder.make() } else { try expectFolder(folder) }
    return old?.permissions
  }

  /// Creates the temporary file of a value that is being written as a stream.
  func makePartFile(for path: String, in folder: EntryFolder) throws -> NewPartFile {
    _ = try prepare(path, in: folder)
    return try NewPartFile(in: folder, durability)
  }

  /// Moves a value that was written as a stream to its path, like `write`.
  func put(_ file: NewPartFile, at path: String, in folder: EntryFolder) throws {
    if let permissions = try prepare(path, in: folder) { try file.setPermissions(permissions) }
    try file.move(to: path)
    if durability == .power { try folder.sync() }
  }

  /// Opens a file, to be read a part at a time; `nil` if it does not exist.
  func open(_ path: String, in folder: EntryFolder) throws -> OpenPlainFile? {
    guard let file = try Self.open(path) else {
      if !createsFolders { try expectFolder(folder) }
      return nil
    }
    let status = try file.status()
    guard status.isRegular else { throw Self.refusal(status.kind, path) }
    return OpenPlainFile(file, status)
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

  /// Throws if there is no folder, since the store is not allowed to create it.
  func expectFolder(_ folder: EntryFolder) throws {
    guard try FileStatus(of: folder.path) == nil else { return }
    throw StorageError.backendFailed.with(
      "the folder is missing: create it, or let the store do so with `creatingDirectories`",
      place: folder.path)
  }

  private static func refusal(_ kind: String, _ path: String) -> StorageError {
    .backendFailed.with("\(kind) has the name of the file, and is left unchanged", place: path)
  }
}

/// Runs `body`, and turns system errors into `StorageError`s that say which operation failed.
func explainingFiles<R>(
  _ aim: @autoclosure () -> String, key: (any Sendable)? = nil, _ body: () throws -> R
) throws -> R {
  do { return try body() } catch let error as SystemError {
    throw error.explained(aim(), key: key)
  } catch let error as StorageError {
    throw error.key == nil && key != nil ? error.with(key: key) : error
  }
}
