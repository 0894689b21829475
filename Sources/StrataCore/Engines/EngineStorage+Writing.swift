#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension EngineStorage: SyncUpdateableStorage, SyncConditionalStorage {
  /// Stores bytes, replacing any value of the key. If `expiry` is `nil`, the store's default applies.
  ///
  /// If it throws, the old value stays. Throws `.tooLarge` if the entry alone exceeds `maxSize`.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    _ = try store(object, key, expiry, ifAbsent: false)
  }

  /// Stores many values atomically: all of them, or none if it throws.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    let expiry = resolved(expiry)
    let entries = try objects.map { try checked($1, $0, expiry) }
    try explaining("store the entries") { try storeTable.put(entries) }
  }

  /// Stores many values atomically, each with its own expiry.
  public func setEntries(_ entries: [Key: Entry<Data>]) throws {
    let entries = try entries.map { try checked($1.object, $0, resolved($1.expiry)) }
    try explaining("store the entries") { try storeTable.put(entries) }
  }

  /// Removes the entry of a key, if there is one.
  public func removeObject(forKey key: Key) throws {
    let text = try writable(key)
    try explaining("remove the entry", key) { try storeTable.remove([text]) }
  }

  /// Removes the entries of many keys atomically.
  public func removeObjects(forKeys keys: [Key]) throws {
    let texts = try keys.map(writable)
    try explaining("remove the entries") { try storeTable.remove(texts) }
  }

  /// Removes all entries, whatever their type of key. Records of other programs stay.
  public func removeAll() throws { try explaining("remove all entries") { try storeTable.removeAll() } }

  /// Removes the entries that have expired, which an index of deadlines finds. It works in small steps, between which
  /// other writers can write.
  public func removeExpiredObjects() throws {
    try explaining("remove the expired entries") { try storeTable.removeExpired() }
  }

  /// Reads, changes and stores a value as one atomic operation. Returns the stored value. The expiry does not change.
  ///
  /// Throws `.notFound` if nothing is stored. If `modify` throws, nothing changes. No lock is held while `modify` runs:
  /// if another writer changes the entry meanwhile, `modify` runs again with the new value. It may use other keys of
  /// the store; a write of this key throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let text = try writable(key)
    return try compareAndUpdate(forKey: key, row(text), in: storeTable.updates, modify) { seen, value in
      try explaining("store the entry", key) {
        try storeTable.refuseTooLarge((text, value, seen.expiry))
        return try storeTable.replace(seen, with: value, text)
      }
    }
  }

  /// Stores bytes if the key has no value, or an expired one, as one atomic operation. Returns whether they were
  /// stored. If `expiry` is `nil`, the store's default applies.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try store(object, key, expiry, ifAbsent: true)
  }

  /// Changes the expiry of the stored entry, as one atomic operation. Returns `false` if there is none or it has
  /// expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    let text = try writable(key)
    return try explaining("store the entry", key) { try storeTable.touch(text, resolved(expiry)) }
  }

  private func resolved(_ expiry: Expiry?) -> Expiry { (expiry ?? self.expiry).resolved(by: clock) }

  private func store(_ object: Data, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) throws -> Bool {
    let entry = (text: try writable(key), value: object, expiry: resolved(expiry))
    return try explaining("store the entry", key) {
      try storeTable.refuseTooLarge(entry)
      return try storeTable.put(entry, ifAbsent: ifAbsent)
    }
  }

  /// Returns an entry of a batch. Throws if it is too large.
  private func checked(_ object: Data, _ key: Key, _ expiry: Expiry) throws -> StoredEntry {
    let entry = (text: try writable(key), value: object, expiry: expiry)
    try explaining("store the entry", key) { try storeTable.refuseTooLarge(entry) }
    return entry
  }

  /// Returns the text of a key that is about to be written. Throws inside an update of the key on this thread.
  private func writable(_ key: Key) throws -> String {
    let text = key.storageKey
    if KeyOrder<TableKey>.isThreadInTurn {
      do { try storeTable.updates.refuseInsideTurn(of: row(text)) } catch let error as StorageError {
        // The error names the row, and not the key.
        throw error.with(key: key, place: place)
      }
    }
    return text
  }

  /// Returns the identity by which updates of a key are ordered.
  private func row(_ text: String) -> TableKey { TableKey(table: storeTable.scope, key: text.canonicalUTF8) }
}
