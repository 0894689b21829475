#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EngineStorage: SyncUpdateableStorage, SyncConditionalStorage {
  /// Changes one key as one atomic operation, and returns whether it was changed.
  ///
  /// If it throws, the old value stays. Throws `.tooLarge` if an entry alone exceeds `maxSize`. A write always waits.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) throws -> Bool {
    try how.refuseAtOnce()
    if case .forget = change.kind { return true }
    let text = try writable(key)
    return try explaining(change.kind.aim, key) {
      switch change.kind {
      case .set(let expiry), .replace(let expiry), .setIfAbsent(let expiry):
        let entry = (text: text, value: change.object, expiry: resolved(expiry))
        try storeTable.refuseTooLarge(entry)
        return try storeTable.put(entry, ifAbsent: change.kind.isConditional)
      case .touch(let expiry): return try storeTable.touch(text, resolved(expiry))
      case .remove, .forget: try storeTable.remove([text])
      }
      return true
    }
  }

  /// Changes many keys atomically: all of them, or none if it throws.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) throws {
    try how.refuseAtOnce()
    if case .remove(let keys) = batch {
      let texts = try keys.map(writable)
      return try explaining(batch.aim) { try storeTable.remove(texts) }
    }
    var entries: [StoredEntry] = []
    try batch.forEachObject(own: expiry, by: clock) { key, object, expiry in
      let entry = (text: try writable(key), value: object, expiry: expiry)
      try explaining("store the entry", key) { try storeTable.refuseTooLarge(entry) }
      entries.append(entry)
    }
    try explaining(batch.aim) { try storeTable.put(entries) }
  }

  /// Removes all entries, whatever their type of key, or those that have expired, which an index of deadlines finds.
  ///
  /// Records of other programs stay. Expired entries are removed in small steps, between which other writers can write.
  public func clear(_ extent: StoreExtent) throws {
    try explaining(extent.aim) {
      if extent == .expired { try storeTable.removeExpired() } else { try storeTable.removeAll() }
    }
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

  /// Returns the text of a key that is about to be written. Throws inside an update of the key on this thread.
  func writable(_ key: Key) throws -> String {
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
