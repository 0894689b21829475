#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// Values of the layout `.files` that were written as streams. Such an entry has two files: its head, under the key's
/// name, and in the folder `Values` the value alone. The head says which file that is, so replacing the head replaces
/// both.
extension FileStore {
  func stored(_ key: [UInt8]) throws -> StoredValue? {
    try reading(key) { file in
      if limit != nil { markUse(of: key, file) }
      if file.header.namesParts { return .parts(try file.parts(), file.header.expiry) }
      return .whole(Entry(object: try file.value(), expiry: file.header.expiry, filePath: file.path))
    }
  }

  func refuse(length: Int, of key: [UInt8]) throws {
    guard let limit else { return }
    let isParts = length >= DiskLayout.files.streamThreshold
    let size =
      EntryHeader.size + key.count + (isParts ? PartTable.size(of: length) : 0) + length
    if size > limit {
      throw StorageError.tooLarge.with(
        "the entry would take \(size) bytes or more, and maxSize is \(limit)", place: path)
    }
  }

  func makePartFile() throws -> NewPartFile {
    let folder = try opened()
    let protection = FileProtection(config.protectionType)
    do throws(SystemError) {
      return try NewPartFile(in: folder, protection, config.durability)
    } catch let error where error.code == ENOENT {
      // The folder was deleted.
      try ensureFolder(folder)
      return try NewPartFile(in: folder, protection, config.durability)
    }
  }

  func store(
    _ file: NewPartFile, _ table: PartTable, _ key: [UInt8], _ expiry: Expiry, ifAbsent: Bool
  ) throws -> Bool {
    try refuse(length: table.length, of: key)
    let folder = try opened()
    let entry = NewFile(table, key, expiry)
    let name = EntryName.plainValue(table.number, of: entry.name)
    func holds() throws -> Bool {
      try WriteCondition.checkLease()
      return try !ifAbsent || expiryInPlace(entry.name, folder)?.isExpired(by: clock) ?? true
    }
    return try store(entry, in: folder, when: holds) { [config] in
      try file.move(to: name, in: folder.values)
      if config.durability == .power { try folder.values.sync() }
      return { try file.moveBack(from: name, in: folder.values) }
    }
  }

  /// Changes the expiry of a value that was written as a stream, and writes only its head. Returns whether it has not
  /// expired; `nil` for any other value.
  func touchParts(_ key: [UInt8], _ expiry: Expiry) throws -> Bool? {
    let folder = try opened()
    let found = try change { damage -> Bool? in
      guard let (table, old) = try tableOfParts(of: key, folder) else { return nil }
      if old.isExpired(by: clock) { return false }
      let entry = NewFile(table, key, expiry)
      try written(entry, in: folder).move(to: folder.path(of: entry.name))
      index.withLock { $0?.store(key, size: entry.size, expiry: expiry) }
      return true
    }
    if found == true, config.durability == .power { try folder.sync() }
    return found
  }

  /// Returns the table and the expiry of a value that was written as a stream; `nil` for any other value, and if the
  /// entry cannot be read.
  private func tableOfParts(of key: [UInt8], _ folder: EntryFolder) throws -> (PartTable, Expiry)? {
    do {
      guard let file = try EntryFile(folder.path(of: EntryName.of(key))), file.key == key,
        let table = try file.table()
      else { return nil }
      return (table, file.header.expiry)
    } catch is EntryFlaw {
      return nil
    }
  }

  /// Returns the expiry of an entry; `nil` if there is none, or it is damaged.
  private func expiryInPlace(_ name: String, _ folder: EntryFolder) throws -> Expiry? {
    do { return try EntryFile(folder.path(of: name))?.header.expiry } catch let flaw as EntryFlaw {
      try flaw.refuseNewer(folder.path(of: name))
      return nil
    }
  }

  func setAside(_ key: [UInt8], _ file: PartFile, _ flaw: EntryFlaw) throws -> StorageError {
    let folder = try opened()
    return try change { _ in
      if try tableOfParts(of: key, folder)?.0 == file.table {
        return setAside(EntryName.of(key), key, flaw, folder).with(place: file.path)
      }
      return .malformedFileAttributes.with("the entry is damaged: \(flaw.reason)", place: file.path)
    }
  }

  func reclaim(_ key: [UInt8], _ number: UInt64) throws {
    if config.isReadOnly { return }
    let folder = try opened()
    let name = EntryName.plainValue(number, of: EntryName.of(key))
    guard try FileStatus(of: folder.values.path(of: name)) != nil else { return }
    // An entry that cannot be read may name the file.
    try change { _ in if try !folder.isNamed(name) { try removeParts(name, folder) } }
  }
}
