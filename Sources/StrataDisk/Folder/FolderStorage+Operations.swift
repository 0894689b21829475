#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataEngines

extension FolderStorage {
  /// Reads a file; `nil` if there is none. `filePath` is its path.
  public func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    try explainingFiles("read the file", key: key) {
      let path = try path(of: key)
      return try files.read(path, in: folder).map { Entry(object: $0, filePath: path) }
    }
  }

  /// Returns `.never` if there is a file, or `nil`. The file is not read.
  public func expiryIfPresent(forKey key: String) throws -> Expiry? {
    try explainingFiles("inspect the file", key: key) {
      guard let status = try FileStatus(of: path(of: key)) else {
        if !files.createsFolders { try files.expectFolder(folder) }
        return nil
      }
      return status.isRegular ? .never : nil
    }
  }

  /// Writes a file, atomically replacing a previous one.
  ///
  /// Throws `.invalidConfiguration` for an expiry other than `.never`, since plain files have no expiry.
  public func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try explainingFiles("write the file", key: key) {
      let path = try path(of: key)
      guard expiry == nil || expiry == .never else {
        throw StorageError.invalidConfiguration.with(
          "a plain file keeps no expiry: store it without one, or use DiskStorage", place: path)
      }
      try order.withTurn(.key(key)) { try files.write(object, to: path, in: folder) }
    }
  }

  /// Deletes a file, if there is one.
  public func removeObject(forKey key: String) throws {
    try explainingFiles("delete the file", key: key) {
      let path = try path(of: key)
      try order.withTurn(.key(key)) { try files.remove(path, in: folder) }
    }
  }

  /// Deletes all files that `keys()` lists, and the unfinished files of killed writes. Subfolders and symlinks stay.
  public func removeAll() throws {
    try explainingFiles("delete the files") {
      try order.withTurn(.everything) {
        for name in try names() { try files.remove(folder.path(of: name), in: folder) }
        try folder.removeLeftovers()
      }
    }
  }

  /// Does nothing: plain files do not expire.
  public func removeExpiredObjects() {}

  /// Returns the names of all files in the folder, in no particular order. This includes hidden files, but not files
  /// that are being written.
  public func keys() throws -> [String] {
    try explainingFiles("list the folder") { try names() }
  }

  private func names() throws -> [String] {
    if !files.createsFolders { try files.expectFolder(folder) }
    return try folder.names { !EntryName.isTemporary($0) }.filter { name in
      // A name that is not UTF-8 was repaired when it was read, so no file has the repaired name.
      try FileStatus(of: folder.path(of: name))?.isRegular == true
    }
  }
}

extension FolderStorage: SyncUpdateableStorage {
  /// Reads a file, changes its bytes, writes it, and returns the written bytes. Atomic among the operations of this
  /// store.
  ///
  /// Throws `.notFound` if there is no file. If `modify` throws, nothing changes. Writing the same key inside it throws
  /// `.deadlock`.
  @discardableResult
  public func update(forKey key: String, _ modify: (inout Data) throws -> Void) throws -> Data {
    let path = try path(of: key)
    return try order.withTurn(.key(key)) {
      var value = try object(forKey: key)
      try modify(&value)
      try explainingFiles("write the file", key: key) { try files.write(value, to: path, in: folder) }
      return value
    }
  }
}
