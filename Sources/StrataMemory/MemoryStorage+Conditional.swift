public import StrataCore
import Synchronization

extension MemoryStorage: SyncConditionalStorage {
  /// Stores a value if none is stored under the key, or only one that has expired. Returns whether it was stored.
  ///
  /// To call it for the key of an update from inside that update throws `.deadlock`.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try updates.withTurn(.key(key)) {
      defer { stopWatching(key) }
      while true {
        if objectOrWatch(key) != nil { return false }
        if put(object, forKey: key, expiry: expiry, isUpdate: true) { return true }
      }
    }
  }

  /// Changes the expiry of a stored value; `false` if nothing is stored, or what has expired. It does not count as a
  /// read.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try refuseInsideUpdate(of: key)
    let expiry = expiry.resolved(by: clock)
    if expiry != .never { isTimed.store(true, ordering: .relaxed) }
    let (hash, now) = (Self.hash(key), now())
    return shards.shard(hash).pointee.table.withLock { table in
      guard let index = table.index(of: key, hash: hash), !table.expiry(of: index).isExpired(by: clock) else {
        return false
      }
      // An update that is under way must not store the expiry that it has read.
      if !table.watched.isEmpty { table.watched.remove(key) }
      table.setExpiry(expiry, of: index, now: now)
      return true
    }
  }
}
