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
    let name = try writable(key)
    try explaining("store the entry", key) {
      try checkSize(object, name)
      try table.put(NewEntries(entries: [(name, object, resolved(expiry))]), limit: limit)
    }
  }

  /// Stores many values as one step: all of them, or none if it throws.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    let expiry = resolved(expiry)
    try store(objects.map { ($0, $1, expiry) })
  }

  /// Stores many values as one step, each with its own expiry.
  public func setEntries(_ entries: [Key: Entry<Data>]) throws {
    try store(entries.map { ($0, $1.object, resolved($1.expiry)) })
  }

  private func store(_ entries: [(Key, Data, Expiry)]) throws {
    let entries = try entries.map { key, value, expiry in
      let name = try writable(key)
      try explaining("store the entry", key) { try checkSize(value, name) }
      return (key: name, value: value, expiry: expiry)
    }
    try explaining("store the entries") { try table.put(NewEntries(entries: entries), limit: limit) }
  }

  /// Removes the entry of a key, if there is one.
  public func removeObject(forKey key: Key) throws {
    let name = try writable(key)
    try explaining("remove the entry", key) { try table.remove([name]) }
  }

  /// Removes the entries of many keys as one step.
  public func removeObjects(forKeys keys: [Key]) throws {
    let names = try keys.map(writable)
    try explaining("remove the entries") { try table.remove(names) }
  }

  /// Removes all entries, whatever their type of key. Records of other programs stay.
  public func removeAll() throws { try explaining("remove all entries") { try table.removeAll() } }

  /// Removes the entries that have expired. Costs as much as the number of removed entries and of those that expire
  /// within the hour. Writers wait for it some milliseconds at a time.
  public func removeExpiredObjects() throws {
    try explaining("remove what has expired") { try table.sweep(until: clock.now) }
  }

  /// Reads, changes and stores a value as one atomic operation. Returns the stored value. The expiry does not change.
  ///
  /// Throws `.notFound` if nothing is stored. If `modify` throws, nothing changes. No lock is held while `modify` runs:
  /// if another writer changes the entry meanwhile, `modify` runs again with the new value. It may use other keys of
  /// the store; a write of this key throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let name = try writable(key)
    return try compareAndUpdate(forKey: key, name.bytes, in: table.state.updates, modify) { seen, value in
      try explaining("store the entry", key) {
        try checkSize(value, name)
        return try table.replace(seen, with: value, name, limit: limit)
      }
    }
  }

  /// Stores bytes if the key has no value, or an expired one, as one atomic operation. Returns whether they were
  /// stored. If `expiry` is `nil`, the store's default applies.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    let name = try writable(key)
    return try explaining("store the entry", key) {
      try checkSize(object, name)
      return try table.putIfAbsent(name, object, resolved(expiry), by: clock, limit: limit)
    }
  }

  /// Changes the expiry of the stored entry, as one atomic operation. Returns `false` if there is none or it has
  /// expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    let name = try writable(key)
    return try explaining("store the entry", key) {
      try table.touch(name, expiry.resolved(by: clock), by: clock, limit: limit)
    }
  }

  /// Throws if the engine does not support records that are long enough.
  private func checkSize(_ value: Data, _ name: EngineKey) throws(LimitExceeded) {
    let size = EngineRecord.longestHead + (name.text?.count ?? 0) + value.count
    if size > table.engine.longestRecord {
      throw LimitExceeded(size: size, limit: table.engine.longestRecord)
    }
  }

  private func resolved(_ expiry: Expiry?) -> Expiry { (expiry ?? self.expiry).resolved(by: clock) }

  /// Returns the engine's key for a key that is about to be written. Throws inside an update of the key on this thread.
  private func writable(_ key: Key) throws -> EngineKey {
    let name = name(of: key)
    if KeyOrder<[UInt8]>.isThreadInTurn {
      do { try table.state.updates.refuseInsideTurn(of: name.bytes) } catch let error as StorageError {
        throw error.with(key: key, place: place)
      }
    }
    return name
  }
}
