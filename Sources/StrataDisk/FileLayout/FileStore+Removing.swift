import StrataCore

extension FileStore {
  /// Deletes the file of a key, if there is one, whatever it holds.
  func removeObject(forKey key: Key) throws {
    let folder = try opened()
    try change { damage in
      try discard(EntryName.of(key.storageKey.canonicalUTF8), key, folder, &damage)
    }
    if config.durability == .power { try folder.sync() }
  }

  func removeObjects(forKeys keys: [Key]) throws {
    for key in keys { try removeObject(forKey: key) }
  }

  /// Deletes every file that is named as an entry, and the temporary files that nobody will finish.
  ///
  /// The name decides: damaged entries go, and also those of stores with another type of key in the same folder, and of
  /// newer versions of Strata. Files with other names stay, and so does what is in `Damaged`.
  ///
  /// Writes wait until it is done. If it throws, some entries are gone and the others are still there.
  func removeAll() throws {
    let folder = try opened()
    try change { damage in
      // First what is known by its key, so that the index is right at every moment.
      for key in index.withLock({ $0?.keys ?? [] }) {
        try discard(EntryName.of(key.storageKey.canonicalUTF8), key, folder, &damage)
      }
      for name in try folder.names(where: EntryName.isEntry) { try discard(name, nil, folder, &damage) }
      try folder.removeLeftovers()
    }
    if config.durability == .power { try folder.sync() }
  }

  /// Deletes what has expired. It costs what it deletes: the deadlines are kept in order.
  func removeExpiredObjects() throws {
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
