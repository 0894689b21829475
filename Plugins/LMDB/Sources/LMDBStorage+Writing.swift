#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension LMDBStorage: SyncUpdateableStorage {
  /// Stores a value, replacing the old one. Without an expiry, the configuration's applies.
  ///
  /// If it throws, the old value is still there. Throws `.tooLarge` if the entry alone would exceed `maxSize`, and
  /// `.backendFailed` if, for example, the disk is full.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    do {
      try table.set(object, forKey: writable(key), expiry: resolved(expiry), by: clock)
    } catch { throw explained(error, "store the entry", key) }
  }

  /// Stores many values in one transaction: if it throws, none is stored.
  ///
  /// A batch that exceeds the limit keeps the values stored last, as single writes would.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    do {
      let expiry = resolved(expiry)
      try table.set(objects.map { (try writable($0), $1, expiry) }, by: clock)
    } catch { throw explained(error, "store the entries") }
  }

  /// Stores many values in one transaction, each with its own expiry.
  public func setEntries(_ entries: [Key: Entry<Data>]) throws {
    do {
      try table.set(entries.map { (try writable($0), $1.object, resolved($1.expiry)) }, by: clock)
    } catch { throw explained(error, "store the entries") }
  }

  /// Reads a value, modifies and stores it as one operation, atomic across processes. Returns the stored value and
  /// keeps the expiry.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if the entry is changed meanwhile, `modify` runs again on the new value. It may use other keys of this store
  /// and other stores in the folder; writing the same key throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let text = try writable(key)
    let row = table.row(text)
    return try compareAndUpdate(forKey: key, row, in: table.environment.updates, modify) { seen, value in
      do { return try table.replace(seen, with: value, forKey: text, by: clock) } catch {
        throw explained(error, "update the entry", key)
      }
    }
  }

  /// Removes an entry, if there is one.
  public func removeObject(forKey key: Key) throws {
    do { try table.remove(keys: [writable(key)]) } catch { throw explained(error, "remove the entry", key) }
  }

  /// Removes the entries of many keys in one transaction.
  public func removeObjects(forKeys keys: [Key]) throws {
    do { try table.remove(keys: keys.map(writable)) } catch {
      throw explained(error, "remove the entries")
    }
  }

  /// Empties the database, whatever the key type of its entries. Other databases in the folder stay, and the file keeps
  /// its size; later writes use the free pages.
  public func removeAll() throws {
    do { try table.removeAll() } catch { throw explained(error, "remove all entries") }
  }

  /// Removes expired entries. An index of deadlines finds them, so the cost depends only on their number. Other writers
  /// get a turn after every thousand.
  public func removeExpiredObjects() throws {
    do { try table.removeExpired(by: clock) } catch { throw explained(error, "remove what has expired") }
  }

  /// Returns the text of a key that is about to be written. Throws inside an update of that key on this thread.
  func writable(_ key: Key) throws -> String {
    let text = key.storageKey
    if KeyOrder<TableKey>.isThreadInTurn {
      do { try table.environment.updates.refuseInsideTurn(of: table.row(text)) } catch {
        throw explained(error, "write the entry", key)
      }
    }
    return text
  }

  func resolved(_ expiry: Expiry?) -> Expiry { (expiry ?? config.expiry).resolved(by: clock) }
}
