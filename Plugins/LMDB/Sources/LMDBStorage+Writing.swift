#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension LMDBStorage: SyncUpdateableStorage {
  /// Stores bytes in place of what was there. Without an expiry that of the configuration applies.
  ///
  /// If it throws, what was stored before is still there. Throws `.tooLarge` if the entry alone would exceed `maxSize`,
  /// and `.backendFailed` if the disk is full, say.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    do {
      try table.set(object, forKey: writable(key), expiry: resolved(expiry), by: clock)
    } catch { throw explained(error, "store the entry", key) }
  }

  /// Stores many values in one transaction: all, or none if it throws.
  ///
  /// Under a limit, a batch that is larger than it keeps what was stored last, as single writes would.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    do {
      try table.set(objects, expiry: resolved(expiry), by: clock, text: writable)
    } catch { throw explained(error, "store the entries") }
  }

  /// Reads a value, changes it and stores it, as one operation, also as other processes see it, and returns what it
  /// stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. Nobody waits while `modify`
  /// runs: if somebody else changes the entry meanwhile, it runs again on the new value. It may use other keys of this
  /// store and of others in the folder; to write this one throws `.deadlock`.
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

  /// Removes what is stored under a key, if anything is.
  public func removeObject(forKey key: Key) throws {
    do { try table.remove(keys: [writable(key)]) } catch { throw explained(error, "remove the entry", key) }
  }

  /// Removes what is stored under many keys, in one transaction.
  public func removeObjects(forKeys keys: [Key]) throws {
    do { try table.remove(keys: keys.map(writable)) } catch {
      throw explained(error, "remove the entries")
    }
  }

  /// Empties the database, whatever the type of the keys. Other databases in the folder stay as they are, and the file
  /// keeps its size: the pages are used again.
  public func removeAll() throws {
    do { try table.removeAll() } catch { throw explained(error, "remove all entries") }
  }

  /// Removes what has expired. It costs what it removes: the deadlines are kept in order. Other writers get their turn
  /// after every thousand.
  public func removeExpiredObjects() throws {
    do { try table.removeExpired(by: clock) } catch { throw explained(error, "remove what has expired") }
  }

  /// The text of a key that is about to be written. Throws inside an update of it on this thread.
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
