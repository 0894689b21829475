import StrataCore

extension FileStore {
  /// The keys of all that is stored and has not expired, in no order.
  ///
  /// The first call reads the heads of all files. Files with the keys of another type are left out.
  func keys() throws -> [Key] {
    _ = try indexedFolder()
    let now = clock.now
    return index.withLock { $0?.keys(validAt: now) ?? [] }
  }

  /// The bytes of all entries' files, with headers and keys, also of entries that have expired and not been swept yet.
  func totalSize() throws -> Int {
    _ = try indexedFolder()
    return knownSize
  }

  /// The size of what is in the index.
  var knownSize: Int { index.withLock { $0?.totalSize ?? 0 } }

  /// The folder, with an index that holds all entries, and holds none if somebody deleted the folder.
  func indexedFolder() throws -> EntryFolder {
    let folder = try opened()
    try ensureFolder(folder)
    try buildIndex(of: folder)
    return folder
  }

  /// Makes sure that the index holds all entries.
  ///
  /// The folder is not held meanwhile: each file is looked at while nobody changes it, and writes enter themselves. So
  /// the index is right in whatever order it all happens.
  func buildIndex(of folder: EntryFolder) throws {
    defer { reportDamage() }
    try isIndexed.withLock { isIndexed in
      if isIndexed { return }
      index.withLock { $0 = $0 ?? DiskIndex() }
      for name in try folder.entriesNewestFirst() {
        try commit.withLock { damage in try load(name, from: folder, &damage) }
      }
      isIndexed = true
    }
  }

  /// Makes the folder if somebody deleted it; then the index knows that it is empty.
  func ensureFolder(_ folder: EntryFolder) throws {
    try commit.withLock { _ in
      if try folder.make() { index.withLock { $0 = $0.map { _ in DiskIndex() } } }
    }
  }

  /// Enters a file into the index, or sets it aside.
  private func load(_ name: String, from folder: EntryFolder, _ damage: inout [StorageError]) throws {
    do {
      guard let file = try EntryFile(folder.path(of: name)) else { return }
      guard EntryName.of(file.key) == name else { throw EntryFlaw.damaged("its name is not that of its key") }
      // A text that is no key, or not the text of that key, was stored with another type of key.
      if let text = String(validating: file.key, as: UTF8.self), let key = Key(storageKey: text),
        key.storageKey == text
      {
        index.withLock { $0?.load(key, size: file.header.fileSize, expiry: file.header.expiry) }
      }
    } catch let flaw as EntryFlaw {
      damage.append(setAside(name, nil, flaw, folder))
    }
  }
}
