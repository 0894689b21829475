#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension FolderStorage {
  /// Returns the bytes of a file, which are read a part at a time, or `nil` if there is none.
  ///
  /// The file stays open until the result is released: a new value or a removal does not affect it. If another program
  /// changes the file itself, the next part throws `.backendFailed`.
  public func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard try how.mayRead() else { return nil }
    let path = try path(of: key)
    let opened = try await pool.run { [files, folder] in
      try explainingFiles("read the file", key: key) { try files.open(path, in: folder) }
    }
    guard let opened else { return nil }
    return StoredBytes(
      length: opened.length, range: range, modified: opened.modified,
      file: { try await self.kept(opened, path, key) },
      open: { self.parts(of: $0, in: opened, key) })
  }

  func parts(of range: Range<Int>, in file: OpenPlainFile, _ key: String) -> StoredBytes.Parts {
    let pages = Pages()
    var parts = ReadAhead(
      range.parts(of: StoredBytes.partSize), on: pool,
      cached: { try file.cachedBytes(of: range, in: $0, pages) }
    ) { part in
      try explainingFiles("read the file", key: key) { try file.bytes(of: range, in: part, pages) }
    }
    return { try await parts.next() }
  }

  /// Returns a new value, whose bytes are written to a temporary file. The commit renames it, in the key's turn.
  ///
  /// If this process dies, the temporary file is deleted by `removeAll()`, and by the first large stream that another
  /// store writes to the folder. Throws `.invalidConfiguration` for an expiry
  /// other than `.never`.
  public func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    let path = try path(of: key)
    try refuse(expiry, path)
    return StagedValue(in: FolderSink(storage: self, key: key, path: path), on: pool)
  }
}
