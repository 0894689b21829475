#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of this machine's plain files, each found by its URL.
///
/// ```swift
/// let files = FileStorage()
/// let text = try await files.mapString().retrieve(forKey: URL(filePath: "/etc/hostname"))
/// ```
///
/// It waits for the disk on threads of its own. A write replaces a file atomically, as in `FolderStorage`, which can
/// also list and remove all files. Writes and updates of one file run one after the other within one store; other
/// writers of the file are not waited for.
///
/// A URL that is not a file URL throws `.invalidConfiguration`. A subfolder, a device or a symlink at the path throws
/// `.backendFailed`.
public final class FileStorage: UpdateableStorage {
  /// The URL of a file.
  public typealias Key = URL
  /// The bytes of a file.
  public typealias Value = Data

  private static let pool = BlockingPool()

  private let files: PlainFiles
  private let order = KeyOrder<String>()

  /// Creates a store of files anywhere on this machine.
  ///
  /// - Parameters:
  ///   - creatingDirectories: whether a write creates the file's folder, and the folders above it, if it is missing. If
  ///     not, every operation on a file whose folder is missing throws `.backendFailed`.
  ///   - durability: the failures that a write survives once it has returned.
  public init(creatingDirectories: Bool = true, durability: DiskDurability = .process) {
    files = PlainFiles(createsFolders: creatingDirectories, durability: durability)
  }

  /// Reads a file; throws `.notFound` if there is none.
  public func retrieve(forKey url: URL) async throws -> Data {
    let (path, folder) = try Self.place(of: url)
    return try await Self.pool.run { [files] in
      try explainingFiles("read the file", key: url) {
        guard let data = try files.read(path, in: folder) else {
          throw StorageError.notFound.with(key: url, place: path)
        }
        return data
      }
    }
  }

  /// Writes a file, atomically replacing a previous one.
  public func set(_ value: Data, forKey url: URL) async throws { try await change(url, to: value) }

  /// Deletes a file, if there is one.
  public func remove(forKey url: URL) async throws { try await change(url, to: nil) }

  /// Reads a file, changes its bytes, writes it, and returns the written bytes. Atomic among the operations of this
  /// store.
  ///
  /// Throws `.notFound` if there is no file. If `modify` throws, nothing changes.
  @discardableResult
  public func update(forKey url: URL, _ modify: (inout Data) throws -> Void) async throws -> Data {
    let (path, folder) = try Self.place(of: url)
    return try await order.inTurn(of: .key(path)) {
      var value = try await retrieve(forKey: url)
      try modify(&value)
      try await put(value, at: path, in: folder, url)
      return value
    }
  }

  /// Writes a file in its turn, or deletes it.
  // One function, since the compiler makes a copy of `inTurn` for each caller.
  private func change(_ url: URL, to value: Data?) async throws {
    let (path, folder) = try Self.place(of: url)
    try await order.inTurn(of: .key(path)) { try await put(value, at: path, in: folder, url) }
  }

  private func put(_ value: Data?, at path: String, in folder: EntryFolder, _ url: URL) async throws {
    try await Self.pool.run { [files] in
      try explainingFiles(value == nil ? "delete the file" : "write the file", key: url) {
        if let value {
          try files.write(value, to: path, in: folder)
        } else {
          try files.remove(path, in: folder)
        }
      }
    }
  }

  private static func place(of url: URL) throws -> (path: String, folder: EntryFolder) {
    let path = url.absoluteURL.path(percentEncoded: false)
    guard url.isFileURL, !path.hasSuffix("/"), let slash = path.lastIndex(of: "/") else {
      throw StorageError.invalidConfiguration.with("the key is not a file URL", key: url)
    }
    return (path, EntryFolder(path: slash == path.startIndex ? "/" : String(path[..<slash])))
  }
}
