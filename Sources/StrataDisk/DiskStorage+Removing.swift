import StrataCore

extension DiskStorage {
  /// Deletes the file of a key, if there is one, whatever it holds.
  public func removeObject(forKey key: Key) throws {
    try explaining("remove the entry", key) {
      let folder = try opened()
      try change { damage in
        try discard(EntryName.of(key.storageKey.canonicalUTF8), key, folder, &damage)
      }
    }
  }

  /// Deletes every file that is named as an entry, and the temporary files that nobody will finish.
  ///
  /// The name decides: damaged entries go, and also those of stores with another type of key in the same folder, and of
  /// newer versions of Strata. Files with other names stay, and so does what is in `Damaged`.
  ///
  /// Writes wait until it is done. If it throws, some entries are gone and the others are still there.
  public func removeAll() throws {
    try explaining("remove all entries") {
      let folder = try opened()
      try change { damage in
        // First what is known by its key, so that the index is right at every moment.
        for key in index.withLock({ $0?.keys ?? [] }) {
          try discard(EntryName.of(key.storageKey.canonicalUTF8), key, folder, &damage)
        }
        for name in try folder.names(where: EntryName.isEntry) { try discard(name, nil, folder, &damage) }
        try folder.removeLeftovers()
      }
    }
  }

  /// Deletes what has expired. It costs what it deletes: the deadlines are kept in order.
  public func removeExpiredObjects() throws {
    try explaining("remove what has expired") {
      let folder = try indexedFolder()
      let now = clock.now
      // One change each, so that writes need not wait for all.
      while try change({ damage in
        guard let key = index.withLock({ $0?.expired(at: now) }) else { return false }
        try discard(EntryName.of(key.storageKey.canonicalUTF8), key, folder, &damage)
        return true
      }) {}
    }
  }
}
