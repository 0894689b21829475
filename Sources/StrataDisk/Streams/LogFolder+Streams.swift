import StrataCore

extension LogFolder {
  func stored(_ key: [UInt8]) throws -> StoredValue? { try using { try $0.stored(key, .stored) } }

  func refuse(length: Int, of key: [UInt8]) throws {
    guard let limit = config.limit else { return }
    let isFile = length >= config.layout.streamThreshold || length >= PartTable.partLength
    let size =
      SegmentHeader.size
      + (isFile
        ? Record.length(Record.headerSize + key.count + PartTable.size(of: length)) + length
        : Record.length(Record.headerSize + key.count + length))
    if size > limit {
      throw StorageError.tooLarge.with(
        "the entry would take \(size) bytes or more on disk, and maxSize is \(limit)", place: path)
    }
  }

  func makePartFile() throws -> NewPartFile {
    try using { try NewPartFile(in: $0.folder, $0.options.protection, $0.options.durability) }
  }

  func store(
    _ file: NewPartFile, _ table: PartTable, _ key: [UInt8], _ expiry: Expiry, ifAbsent: Bool
  ) throws -> Bool {
    try refuse(length: table.length, of: key)
    return try using { try $0.store(file, table, key, expiry, if: ifAbsent ? .absent : nil) }
  }

  func setAside(_ key: [UInt8], _ file: PartFile, _ flaw: EntryFlaw) throws -> StorageError {
    try using { try $0.setAside(key, file, flaw) }
  }

  func reclaim(_ key: [UInt8], _ number: UInt64) throws { try using { try $0.reclaim(key, number) } }
}
