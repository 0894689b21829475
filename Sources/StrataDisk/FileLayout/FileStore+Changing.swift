import StrataCore

extension FileStore {
  /// Runs `body` while no other thread or process changes the folder. Damage found by `body` is reported afterwards,
  /// outside the lock.
  func change<R: Sendable>(_ body: (inout [StorageError]) throws -> R) throws -> R {
    defer { reportDamage() }
    return try commit.withLock { damage in
      let lock = try FolderLock(of: opened())
      return try withExtendedLifetime(lock) {
        try removeHeld()
        return try body(&damage)
      }
    }
  }

  /// Reports the damage that was found while the lock was held.
  func reportDamage() {
    let damage = commit.withLock { damage in
      defer { damage = [] }
      return damage
    }
    damage.forEach(config.report)
  }

  /// Deletes the file of an entry, if there is one; a folder in its place is moved to `Damaged`. For use inside
  /// `change`.
  func discard(_ name: String, _ key: [UInt8]?, _ folder: EntryFolder, _ damage: inout [StorageError]) throws
  {
    let parts = oldParts(name, folder)
    do {
      try folder.remove(name)
      if let parts { removeOldParts(parts, folder, &damage) }
    } catch {
      guard let status = try FileStatus(of: folder.path(of: name)), status.isFolder else { throw error }
      damage.append(setAside(name, key, status.flaw, folder))
    }
    if let key { index.withLock { $0?.remove(key) } }
  }

  /// Moves a damaged file to `Damaged` and returns the error to report. For use inside `change`.
  func setAside(_ name: String, _ key: [UInt8]?, _ flaw: EntryFlaw, _ folder: EntryFolder) -> StorageError {
    let place = folder.path(of: name)
    let text = key.map(Self.text)
    switch flaw {
    case .newer(let version):
      return .newer(version, place: place).with(key: text)
    case .damaged(let reason):
      do throws(SystemError) {
        let parts = try parts(ofDamaged: name, folder)
        let kept = try folder.setAside(name)
        for part in parts { try setAsideParts(part, folder) }
        if let key { index.withLock { $0?.remove(key) } }
        return .malformedFileAttributes.with(
          "the file is not a valid entry: \(reason); it was moved to \(kept)", key: text, place: place)
      } catch {
        return folder.unmoved("the file is not a valid entry: \(reason)", place, error).with(key: text)
      }
    }
  }
}
