import StrataCore

extension FileStore {
  /// Returns the texts in no particular order. The first call reads the heads of all files.
  func texts() throws -> [String] {
    _ = try indexedFolder()
    let now = clock.now
    return index.withLock { $0?.keys(validAt: now) ?? [] }.map(Self.text)
  }

  /// Returns texts by the slots of the index, which an entry keeps as long as it is stored.
  func texts(after cursor: KeyCursor?, limit: Int) throws -> (texts: [String], next: KeyCursor?) {
    let start: Int = try cursor?.position() ?? 0
    _ = try indexedFolder()
    let now = clock.now
    let (keys, next) = index.withLock { $0?.keys(from: start, atMost: limit, validAt: now) ?? ([], nil) }
    return (keys.map(Self.text), next.map { KeyCursor($0) })
  }

  static func text(_ key: [UInt8]) -> String { String(decoding: key, as: UTF8.self) }

  /// Returns the bytes of all entries' files, including headers, keys, and expired entries that have not been removed
  /// yet.
  func totalSize() throws -> Int {
    _ = try indexedFolder()
    return knownSize
  }

  /// The total size of the entries in the index.
  var knownSize: Int { index.withLock { $0?.totalSize ?? 0 } }

  /// Returns the folder, after filling the index with all entries. If the folder was deleted, it is created and the
  /// index is emptied.
  func indexedFolder() throws -> EntryFolder {
    let folder = try opened()
    try ensureFolder(folder)
    try buildIndex(of: folder)
    return folder
  }

  /// Fills the index with all entries, once.
  ///
  /// The folder is not locked for the whole scan: each file is read while no other thread changes it, and concurrent
  /// writes update the index themselves. So the index is correct in any order of events.
  func buildIndex(of folder: EntryFolder) throws {
    defer { reportDamage() }
    try isIndexed.withLock { isIndexed in
      if isIndexed { return }
      index.withLock { $0 = $0 ?? DiskIndex() }
      for (name, _) in try folder.filesNewestFirst(where: EntryName.isEntry) {
        try commit.withLock { damage in try load(name, from: folder, &damage) }
      }
      isIndexed = true
    }
  }

  /// Creates the folder if it was deleted, and then empties the index.
  func ensureFolder(_ folder: EntryFolder) throws {
    try commit.withLock { _ in
      if try folder.make() { index.withLock { $0 = $0.map { _ in DiskIndex() } } }
    }
  }

  /// Adds a file to the index, or moves it to `Damaged`.
  private func load(_ name: String, from folder: EntryFolder, _ damage: inout [StorageError]) throws {
    do { try load(name, from: folder) } catch is EntryFlaw {
      // Read again while no other process writes: it may have replaced the file by a sound one since.
      let lock = try FolderLock(of: folder)
      try withExtendedLifetime(lock) {
        do { try load(name, from: folder) } catch let flaw as EntryFlaw {
          damage.append(setAside(name, nil, flaw, folder))
        }
      }
    }
  }

  /// Adds a file to the index. Throws an `EntryFlaw` if it is damaged.
  private func load(_ name: String, from folder: EntryFolder) throws {
    guard let file = try EntryFile(folder.path(of: name)) else { return }
    guard EntryName.of(file.key) == name else { throw EntryFlaw.damaged("its name does not match its key") }
    if let text = String(validating: file.key, as: UTF8.self), isKey(text) {
      let size = try file.size()
      index.withLock { $0?.load(file.key, size: size, expiry: file.header.expiry) }
    }
  }
}
