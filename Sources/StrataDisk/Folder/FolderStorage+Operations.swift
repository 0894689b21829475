#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension FolderStorage {
  /// Reads a file; `nil` if there is none. `filePath` is its path. If only the expiry is wanted, which is `.never`, the
  /// file is not read.
  public func read(_ key: String, _ how: How) throws -> Entry<Data>? {
    guard try how.mayRead() else { return nil }
    return try explainingFiles(how.contains(.expiryOnly) ? "inspect the file" : "read the file", key: key) {
      let path = try path(of: key)
      guard how.contains(.expiryOnly) else {
        return try files.read(path, in: folder).map { Entry(object: $0, filePath: path) }
      }
      guard let status = try FileStatus(of: path) else {
        if !files.createsFolders { try files.expectFolder(folder) }
        return nil
      }
      return status.isRegular ? Entry(expiry: .never) : nil
    }
  }

  /// Writes a file, atomically replacing a previous one, or deletes it. A condition is checked before the write: other
  /// writers may write in between.
  ///
  /// Throws `.invalidConfiguration` for an expiry other than `.never`, since plain files have no expiry.
  @discardableResult
  public func change(_ key: String, _ change: StoreChange<Data>, _ how: How) throws -> Bool {
    try how.refuseAtOnce()
    guard let change = try unconditional(change, forKey: key) else { return false }
    switch change.kind {
    case .set(let expiry), .replace(let expiry):
      try explainingFiles("write the file", key: key) {
        let path = try path(of: key)
        try refuse(expiry, path)
        _ = try self.change(key, at: path, .write(change.object))
      }
    case .remove:
      try explainingFiles("delete the file", key: key) {
        _ = try self.change(key, at: path(of: key), .remove)
      }
    // A change whose condition holds is one without a condition now.
    case .setIfAbsent, .touch, .forget: break
    }
    return true
  }

  enum FileChange {
    case write(Data)
    case put(NewPartFile)
    case remove
  }

  /// Changes a file in its turn, if it is to be replaced or there is none; returns whether it did.
  // One function, since the compiler makes a copy of `withTurn` for each caller.
  func change(_ key: String, at path: String, _ change: FileChange, ifAbsent: Bool = false) throws -> Bool {
    try order.withTurn(.key(key)) {
      if ifAbsent, try FileStatus(of: path) != nil { return false }
      switch change {
      case .write(let value): try files.write(value, to: path, in: folder)
      case .put(let file): try files.put(file, at: path, in: folder)
      case .remove: try files.remove(path, in: folder)
      }
      return true
    }
  }

  /// Throws for an expiry that a file cannot keep.
  func refuse(_ expiry: Expiry?, _ path: String) throws(StorageError) {
    guard expiry == nil || expiry == .never else {
      throw .invalidConfiguration.with(
        "a plain file keeps no expiry: store it without one, or use DiskStorage", place: path)
    }
  }

  /// Deletes all files that `keys()` lists, and the unfinished files of killed writes. Subfolders and symlinks stay.
  ///
  /// `.expired` does nothing: plain files do not expire.
  public func clear(_ extent: StoreExtent) throws {
    if extent == .expired { return }
    try explainingFiles("delete the files") {
      try order.withTurn(.everything) {
        for name in try names() { try files.remove(folder.path(of: name), in: folder) }
        try removeLeftovers()
      }
    }
  }

  /// Returns a page of the names of all files in the folder, in no particular order. The first page lists them all.
  /// This includes hidden files, but not files that are being written.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<String> {
    try KeyPage(after: cursor, limit: limit) { try explainingFiles("list the folder") { try names() } }
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
