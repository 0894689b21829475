#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension FileStore {
  /// Deletes the files of keys, as far as there are any, whatever they contain.
  func remove(_ keys: [[UInt8]]) throws {
    let folder = try opened()
    for key in keys {
      try change { damage in try discard(EntryName.of(key), key, folder, &damage) }
      if config.durability == .power { try folder.sync() }
    }
  }

  /// Deletes every file with the name of an entry, and the temporary files that no process is writing.
  ///
  /// The name decides: this includes damaged entries, and entries of newer versions of Strata or of stores with another
  /// key type. Files with other names stay, and so do the files in `Damaged`.
  ///
  /// Writes wait until it is done. If it throws, some entries may be removed and the others still there.
  func removeAll() throws {
    let folder = try opened()
    try change { damage in
      // Known keys first, so that the index is correct at every moment.
      for key in index.withLock({ $0?.keys ?? [] }) {
        try discard(EntryName.of(key), key, folder, &damage)
      }
      for name in try folder.names(where: EntryName.isEntry) { try discard(name, nil, folder, &damage) }
      let known = Set(held.withLock { $0 })
      let isLeft = { name in EntryName.entry(ofPlainValue: name) != nil && !known.contains(name) }
      for name in try folder.values.names(where: isLeft) {
        removeOldParts(name, folder, &damage)
      }
      do throws(SystemError) { try folder.removeLeftovers() } catch {
        damage.append(
          error.explained("delete a file that was not finished", next: "the next opening tries again"))
      }
    }
    if config.durability == .power { try folder.sync() }
  }

  /// Deletes expired entries. The cost is in proportion to the deleted entries, since the deadlines are in a heap.
  func removeExpired() throws {
    let folder = try indexedFolder()
    let now = clock.now
    // One change per entry, so that writes need not wait for all of them.
    while try change({ damage in
      guard let key = index.withLock({ $0?.expired(at: now) }) else { return false }
      if try hasReplaced(key, expiredAt: now, folder, &damage) { return true }
      try discard(EntryName.of(key), key, folder, &damage)
      config.reclaimed(expiries: 1)
      return true
    }) {}
  }

  /// Returns whether an entry that has expired according to the index must stay: another store or process has replaced
  /// it by one that has not, or its file cannot be read. Then updates the index. For use inside `change`.
  func hasReplaced(
    _ key: [UInt8], expiredAt now: Date, _ folder: EntryFolder, _ damage: inout [StorageError]
  ) throws -> Bool {
    let name = EntryName.of(key)
    do {
      guard let file = try EntryFile(folder.path(of: name)) else { return false }
      guard file.key == key else { throw EntryFlaw.damaged("it holds the entry of another key") }
      let (size, expiry) = (try file.size(), file.header.expiry)
      if case .date(let date) = expiry, date <= now { return false }
      index.withLock { $0?.store(key, size: size, expiry: expiry) }
    } catch let flaw as EntryFlaw {
      damage.append(setAside(name, key, flaw, folder))
      index.withLock { $0?.remove(key) }
    }
    return true
  }
}
