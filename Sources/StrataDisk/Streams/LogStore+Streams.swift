import StrataCore

extension LogStore {
  func stored(_ key: Key) throws -> StoredValue? {
    let bytes = key.storageKey.canonicalUTF8
    return try log.using { try $0.stored(bytes, .stored) }
  }

  func refuse(length: Int, of key: Key) throws {
    guard let limit = config.limit else { return }
    let keyLength = key.storageKey.canonicalUTF8.count
    let isFile = length >= config.layout.streamThreshold || length >= PartTable.partLength
    let size =
      SegmentHeader.size
      + (isFile
        ? Record.length(Record.headerSize + keyLength + PartTable.size(of: length)) + length
        : Record.length(Record.headerSize + keyLength + length))
    if size > limit {
      throw StorageError.tooLarge.with(
        "the entry would take \(size) bytes or more on disk, and maxSize is \(limit)", place: log.path)
    }
  }

  func makePartFile() throws -> NewPartFile {
    try log.using { try NewPartFile(in: $0.folder, $0.options.protection, $0.options.durability) }
  }

  func store(
    _ file: NewPartFile, _ table: PartTable, _ key: Key, _ expiry: Expiry, ifAbsent: Bool
  ) throws -> Bool {
    try refuse(length: table.length, of: key)
    let bytes = key.storageKey.canonicalUTF8
    return try log.using { try $0.store(file, table, bytes, expiry, if: ifAbsent ? .absent : nil) }
  }

  func setAside(_ key: Key, _ file: PartFile, _ flaw: EntryFlaw) throws -> StorageError {
    let bytes = key.storageKey.canonicalUTF8
    return try log.using { try $0.setAside(bytes, file, flaw) }
  }

  func reclaim(_ key: Key, _ number: UInt64) throws {
    let bytes = key.storageKey.canonicalUTF8
    try log.using { try $0.reclaim(bytes, number) }
  }
}
