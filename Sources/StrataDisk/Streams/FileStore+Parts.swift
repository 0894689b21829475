import StrataCore

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

  /// Returns the names of the files that may contain the value of a damaged entry: the one that it names, or all of its
  /// key if that cannot be read.
  func parts(ofDamaged name: String, _ folder: EntryFolder) throws(SystemError) -> [String] {
    if let parts = oldParts(name, folder) { return [parts] }
    return try folder.values.names { EntryName.entry(ofPlainValue: $0) == name }
  }

  /// Deletes a value's file that no entry names, unless a `StoredFile` keeps it: then it is deleted later.
  func removeParts(_ name: String, _ folder: EntryFolder) throws(SystemError) {
    if try !folder.values.removeUnheld(name) { noteHeld(name) }
  }

  /// Notes that a `StoredFile` kept a value's file in place, or that it could not be deleted.
  private func noteHeld(_ name: String) {
    held.withLock { if !$0.contains(name) { $0.append(name) } }
  }

  /// Deletes the value's file of an entry that has been replaced or removed. The change has already taken effect, so a
  /// failure is only reported, and the next change tries again.
  func removeOldParts(_ name: String, _ folder: EntryFolder, _ damage: inout [StorageError]) {
    do throws(SystemError) { try removeParts(name, folder) } catch {
      noteHeld(name)
      damage.append(
        error.explained("delete a value that was replaced or removed", next: "the next write tries again"))
    }
  }

  /// Moves a damaged value's file to `Damaged`, unless it is missing.
  func setAsideParts(_ name: String, _ folder: EntryFolder) throws(SystemError) {
    if try FileStatus(of: folder.values.path(of: name)) == nil { return }
    if try folder.values.setAside(name, to: folder).isHeld { noteHeld(name) }
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
      do throws(SystemError) { try removeParts(name, folder) } catch { noteHeld(name) }
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
  func isNamed(_ name: String) throws -> Bool {
    guard let entry = EntryName.entry(ofPlainValue: name) else { return true }
    do {
      guard let file = try EntryFile(path(of: entry)) else { return false }
      return try file.table().map { EntryName.plainValue($0.number, of: entry) == name } ?? false
    } catch is EntryFlaw {
      return true
    }
  }
}
