#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Entries in the folder of a log that are not in the log yet. Each is a file of its own, written by the layout
/// `.files` or another library.
///
/// If the log has a key, its entry takes precedence over an old file. An old file is deleted as soon as its key is
/// written, removed or imported, while the log still has the record of this change.
struct OldEntries: Sendable {
  let folder: EntryFolder
  /// Whether there are files of the layout `.files`.
  let hasFiles: Bool
  let predecessor: DiskPredecessor?
  /// Whether there are values of the layout `.files` that were written as streams.
  private let hasParts: Bool
  /// Whether there can be no old entries.
  let isEmpty: Bool
  /// The files of AsyncStorages.
  private let named: NamedFiles
  /// The files of Cache, if it is the predecessor.
  let ofCache: CacheFiles?

  /// - Parameter names: The folder's file names that can be entries of the layout `.files`.
  init(in folder: EntryFolder, among names: [String], _ predecessor: DiskPredecessor?) throws(SystemError) {
    self.folder = folder
    self.predecessor = predecessor
    hasFiles = names.contains(where: EntryName.isEntry)
    let parts = hasFiles ? try folder.values.names { EntryName.entry(ofPlainValue: $0) != nil } : []
    hasParts = !parts.isEmpty
    named = predecessor == .asyncStorages ? try NamedFiles(in: folder) : NamedFiles()
    ofCache = predecessor == .hyperosloCache ? CacheFiles(in: folder) : nil
    isEmpty = !hasFiles && named.isEmpty && predecessor != .hyperosloCache
  }

  /// Whether there are files whose keys are known from their contents or names.
  var areListed: Bool { hasFiles || !named.isEmpty }

  /// An old entry, with the path of its file.
  struct Found {
    let entry: Entry<Data>
    let path: String
    /// The length of the file, if it can become a value's file unchanged.
    let size: Int?
  }

  /// Returns the entry of a key; `nil` if there is none. Throws an `EntryFlaw` if it is damaged.
  func find(_ key: [UInt8]) throws -> Found? {
    if hasFiles, let file = try EntryFile(folder.path(of: EntryName.of(key))) {
      guard file.key == key else { throw EntryFlaw.damaged("it holds the entry of another key") }
      let entry = Entry(object: try file.value(), expiry: file.header.expiry, filePath: file.path)
      return Found(entry: entry, path: file.path, size: file.header.namesParts ? nil : file.header.fileSize)
    }
    for name in foreignNames(of: key) {
      if let found = try foreign(at: folder.path(of: name)) { return found }
    }
    return nil
  }

  /// A value that the layout `.files` has written as a stream.
  struct Parts {
    let path: String
    let table: PartTable
    let expiry: Expiry
  }

  /// Returns the value of a key, if it was written as a stream; `nil` for any other entry.
  func parts(_ key: [UInt8]) throws -> Parts? {
    guard hasFiles, let file = try EntryFile(folder.path(of: EntryName.of(key))), file.key == key,
      let table = try file.table()
    else { return nil }
    return Parts(path: file.partsPath(table.number), table: table, expiry: file.header.expiry)
  }

  /// Returns the names that another library's file of a key can have, the one with the current value first.
  private func foreignNames(of key: [UInt8]) -> [String] {
    switch predecessor {
    case nil: []
    case .hyperosloCache: CacheFile.names(of: key)
    case .asyncStorages: named.names(of: key)
    }
  }

  private func foreign(at path: String) throws -> Found? {
    // The file may be gone by now, because another process has imported it.
    guard let status = try FileStatus(of: path), status.isRegular, let file = try File.existing(path) else {
      return nil
    }
    let bytes = try file.bytes(file.status().size, at: 0)
    let isOfCache = predecessor == .hyperosloCache
    let entry = Entry(
      object: Data(isOfCache ? CacheFile.value(bytes) : bytes),
      expiry: isOfCache ? CacheFile.expiry(status) : .never, filePath: path)
    return Found(entry: entry, path: path, size: nil)
  }

  /// Deletes the files of a key.
  func remove(_ key: [UInt8]) throws(SystemError) {
    if hasFiles {
      let entry = EntryName.of(key)
      try folder.remove(entry)
      try removeParts { $0 == entry }
    }
    for name in foreignNames(of: key) {
      try folder.remove(name)
      ofCache?.forget(name)
    }
  }

  func removeAll() throws(SystemError) {
    for name in try folder.names(where: { isOld($0) }) { try folder.remove(name) }
    try removeParts { _ in true }
    try ofCache?.measure()
  }

  /// Deletes the files of values that were written as streams, by the names of their entries.
  private func removeParts(of isWanted: (String) -> Bool) throws(SystemError) {
    if !hasParts { return }
    for name in try folder.values.names(where: { EntryName.entry(ofPlainValue: $0).map(isWanted) ?? false }) {
      try folder.values.remove(name)
    }
  }

  /// Returns the files of the layout `.files`, from the oldest to the newest.
  func names() throws(SystemError) -> [String] {
    hasFiles ? try folder.filesNewestFirst(where: EntryName.isEntry).reversed().map(\.name) : []
  }

  /// The keys of the files that another library has named by their keys, from the oldest file to the newest.
  var namedKeys: [[UInt8]] { named.keys }

  func isOld(_ name: String) -> Bool {
    if EntryName.isEntry(name) { return true }
    return switch predecessor {
    case nil: false
    case .hyperosloCache: EntryName.isMD5(name)
    case .asyncStorages: named.contains(name)
    }
  }
}
