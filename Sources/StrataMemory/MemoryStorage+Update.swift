public import StrataDelegate
public import Synchronization

extension MemoryStorage: SyncUpdateableStorage {
  /// Reads a value, modifies and stores it as one operation. Returns the stored value and keeps the expiry.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if another caller writes the key meanwhile, `modify` runs again on the new value. Writing the same key
  /// inside it throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try updates.withTurn(.key(key)) {
      let watch = KeyWatch()
      runningUpdates.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer {
        runningUpdates.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        stop(watch, of: key)
      }
      while true {
        guard let seen = entry(key, beginning: watch) else { throw StorageError.notFound.with(key: key) }
        var value = seen.object
        try modify(&value)
        if put(value, forKey: key, expiry: seen.expiry, watch: watch) { return value }
      }
    }
  }

  /// Throws if this thread is inside an update of the key, which must write it only through that update.
  @inlinable
  func refuseInsideUpdate(of key: Key) throws {
    if runningUpdates.load(ordering: .relaxed) > 0 { try updates.refuseInsideTurn(of: key) }
  }

  /// Returns a value that has not expired, with the expiry it was written with, and begins to watch the key.
  private func entry(_ key: Key, beginning watch: KeyWatch) -> Entry<Value>? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      guard let index = table.index(of: key, hash: hash), !table.expiry(of: index).isExpired(by: clock) else {
        return nil
      }
      table.watched.add(watch, of: key)
      return Entry(object: table[index].pointee.value, expiry: table.ownExpiry(of: index))
    }
  }

  /// Ends one watch of a key.
  func stop(_ watch: KeyWatch, of key: Key) {
    shards.shard(Self.hash(key)).pointee.table.withLock { table in
      if !table.watched.isEmpty { table.watched.remove(watch, of: key) }
    }
  }
}
