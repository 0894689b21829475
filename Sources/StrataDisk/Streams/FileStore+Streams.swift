#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataEngines

/// Values of the layout `.files` that were written as streams. Such an entry has two files: its head, under the key's
/// name, and in the folder `Values` the value alone. The head says which file that is, so replacing the head replaces
/// both.
extension FileStore {
  func stored(_ key: Key) throws -> StoredValue? {
    try reading(key) { file in
      if limit != nil { markUse(of: key, file) }
      if file.header.namesParts { return .parts(try file.parts(), file.header.expiry) }
      return .whole(Entry(object: try file.value(), expiry: file.header.expiry, filePath: file.path))
    }
  }

  func refuse(length: Int, of key: Key) throws {
    guard let limit else { return }
    let isParts = length >= DiskLayout.files.streamThreshold
    let size =
      EntryHeader.size + key.storageKey.canonicalUTF8.count + (isParts ? PartTable.size(of: length) : 0) + length
    if size > limit {
      throw StorageError.tooLarge.with(
        "the entry would take \(size) bytes or more, and maxSize is \(limit)", key: key, place: path)
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
    _ file: NewPartFile, _ table: PartTable, _ key: Key, _ expiry: Expiry, ifAbsent: Bool
  ) throws -> Bool {
    try refuse(length: table.length, of: key)
    let folder = try opened()
    let entry = NewFile(table, key, expiry)
    let name = EntryName.plainValue(table.number, of: entry.name)
    let lease = Self.leaseCondition
    let condition = { [self] in
      try (lease?() ?? true) && (!ifAbsent || expiryInPlace(entry.name, folder)?.isExpired(by: clock) ?? true)
    }
    return try store(entry, in: folder, when: condition) { [config] in
      try file.move(to: name, in: folder.values)
      if config.durability == .power { try folder.values.sync() }
      return { try file.moveBack(from: name, in: folder.values) }
    }
  }

  /// Changes the expiry of a value that was written as a stream, and writes only its head. Returns whether it has not
  /// expired; `nil` for any other value.
  func touchParts(_ key: Key, _ expiry: Expiry) throws -> Bool? {
    let folder = try opened()
    let found = try change { damage -> Bool? in
      let bytes = key.storageKey.canonicalUTF8
      guard let (table, old) = try tableOfParts(of: bytes, folder) else { return nil }
      if old.isExpired(by: clock) { return false }
      let entry = NewFile(table, key, expiry)
      let file = try TemporaryFile(in: folder.path)
      try FileProtection(config.protectionType).protect(file.path)
      try file.write(entry.head, entry.value)
      if config.durability == .power { try file.sync() }
      try file.move(to: folder.path(of: entry.name))
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

  /// Returns the expiry of an entry; `nil` if there is no readable entry.
  private func expiryInPlace(_ name: String, _ folder: EntryFolder) throws -> Expiry? {
    do { return try EntryFile(folder.path(of: name))?.header.expiry } catch is EntryFlaw { return nil }
  }

  func setAside(_ key: Key, _ file: PartFile, _ flaw: EntryFlaw) throws -> StorageError {
    let folder = try opened()
    return try change { _ in
      let bytes = key.storageKey.canonicalUTF8
      if try tableOfParts(of: bytes, folder)?.0 == file.table {
        return setAside(EntryName.of(bytes), key, flaw, folder).with(place: file.path)
      }
      return .malformedFileAttributes.with(
        "the entry is damaged: \(flaw.reason)", key: key, place: file.path)
    }
  }

  func reclaim(_ key: Key, _ number: UInt64) throws {
    let folder = try opened()
    let bytes = key.storageKey.canonicalUTF8
    let name = EntryName.plainValue(number, of: EntryName.of(bytes))
    guard try FileStatus(of: folder.values.path(of: name)) != nil else { return }
    try change { _ in
      if try tableOfParts(of: bytes, folder)?.0.number != number { try removeParts(name, folder) }
    }
  }
}

/// The files that contain only the values. For use inside `change`.
extension FileStore {
  /// Returns the name of the file that contains the value of an entry which is about to be replaced or removed; `nil`
  /// if it has none.
  func oldParts(_ name: String, _ folder: EntryFolder) -> String? {
    // Without streams there is no such folder, and looking for it takes less time than opening the entry.
    do {
      guard try FileStatus(of: folder.values.path) != nil,
        let table = try EntryFile(folder.path(of: name))?.table()
      else { return nil }
      return EntryName.plainValue(table.number, of: name)
    } catch {
      // The entry is damaged. The next opening deletes the file.
      return nil
    }
  }

  /// Deletes a value's file that no entry names, unless a `StoredFile` keeps it: then it is deleted later.
  func removeParts(_ name: String, _ folder: EntryFolder) throws(SystemError) {
    if try folder.values.removeUnheld(name) { return }
    held.withLock { if !$0.contains(name) { $0.append(name) } }
  }

  /// Deletes the value's file of an entry that has been replaced or removed. The change has already taken effect, so a
  /// failure is only reported, and the next change tries again.
  func removeOldParts(_ name: String, _ folder: EntryFolder, _ damage: inout [StorageError]) {
    do throws(SystemError) { try removeParts(name, folder) } catch {
      held.withLock { $0.append(name) }
      damage.append(
        .backendFailed.with(
          "cannot delete a value that was replaced or removed: \(error.reason); the next write tries again",
          place: error.path, cause: error))
    }
  }

  /// Moves a damaged value's file to `Damaged`, unless it is missing.
  func setAsideParts(_ name: String, _ folder: EntryFolder) throws(SystemError) {
    if try FileStatus(of: folder.values.path(of: name)) == nil { return }
    if try folder.values.setAside(name, to: folder).isHeld {
      held.withLock { if !$0.contains(name) { $0.append(name) } }
    }
  }

  /// Deletes a few of the files that were kept, if they have been released.
  func removeHeld() throws {
    let names = held.withLock { held in
      defer { held.removeFirst(min(4, held.count)) }
      return Array(held.prefix(4))
    }
    let folder = try opened()
    for name in names {
      // The first failure has been reported.
      do throws(SystemError) { try removeParts(name, folder) } catch { held.withLock { $0.append(name) } }
    }
  }
}

extension EntryFolder {
  /// Deletes the values' files that no entry of the layout `.files` names: the process that wrote or replaced them was
  /// killed, or a `StoredFile` kept them.
  func removeOrphans() throws {
    if isReadOnly { return }
    let names = try values.names { EntryName.entry(ofPlainValue: $0) != nil }
    if names.isEmpty { return }
    // No other process is about to write the entry of such a file.
    let lock = try FolderLock(of: self)
    try withExtendedLifetime(lock) {
      for name in names where try !isNamed(name) { _ = try values.removeUnheld(name) }
    }
  }

  /// Returns whether an entry names a value's file, or is too damaged or new to be read.
  private func isNamed(_ name: String) throws -> Bool {
    guard let entry = EntryName.entry(ofPlainValue: name) else { return true }
    do {
      guard let file = try EntryFile(path(of: entry)) else { return false }
      return try file.table().map { EntryName.plainValue($0.number, of: entry) == name } ?? false
    } catch is EntryFlaw {
      return true
    }
  }
}
