public import StrataDelegate
import Synchronization

extension MemoryStorage: SyncConditionalStorage {}

extension MemoryStorage {
  /// Stores a value if the key has none, or an expired one. Returns whether the value was stored.
  ///
  /// Throws `.deadlock` when called inside an update of the same key.
  @usableFromInline
  func putIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try updates.withTurn(.key(key)) {
      let watch = KeyWatch()
      defer { stop(watch, of: key) }
      while true {
        if value(key, orBegin: watch) != nil { return false }
        if put(object, forKey: key, expiry: expiry, watch: watch) { return true }
      }
    }
  }

  /// Changes the expiry of a stored value, without counting as a read. Returns `false` if the key has no value, or an
  /// expired one.
  @usableFromInline
  func setExpiry(_ expiry: Expiry, ofKey key: Key) throws -> Bool {
    try refuseInsideUpdate(of: key)
    let expiry = expiry.resolved(by: clock)
    if expiry != .never { isTimed.store(true, ordering: .relaxed) }
    let (hash, now) = (Self.hash(key), now())
    return shards.shard(hash).pointee.table.withLock { table in
      guard let index = table.index(of: key, hash: hash), !table.expiry(of: index).isExpired(by: clock) else {
        return false
      }
      // An update in progress must not store the expiry that it has read.
      if !table.watched.isEmpty { endWatches(of: key, in: &table) }
      table.setExpiry(expiry, of: index, now: now)
      return true
    }
  }
}
