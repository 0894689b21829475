public import StrataCore
public import Synchronization

extension MemoryStorage: SyncUpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if somebody else writes the key meanwhile, it runs again on the new value. To write the key inside it throws
  /// `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try updates.withTurn(.key(key)) {
      runningUpdates.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer {
        runningUpdates.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        stopWatching(key)
      }
      while true {
        guard let seen = watch(key) else { throw StorageError.notFound.with(key: key) }
        var value = seen.object
        try modify(&value)
        if put(value, forKey: key, expiry: seen.expiry, isUpdate: true) { return value }
      }
    }
  }

  /// Throws if this thread is inside the update of a key, which must not write that key by another way.
  @inlinable
  func refuseInsideUpdate(of key: Key) throws {
    if runningUpdates.load(ordering: .relaxed) > 0 { try updates.refuseInsideTurn(of: key) }
  }

  /// Reads a value that has not expired, with the expiry it was written with. Whoever writes it next stops the
  /// watching.
  private func watch(_ key: Key) -> Entry<Value>? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      guard let index = table.index(of: key, hash: hash), !table.expiry(of: index).isExpired(by: clock) else {
        return nil
      }
      table.watched.insert(key)
      return Entry(object: table[index].pointee.value, expiry: table.ownExpiry(of: index))
    }
  }

  func stopWatching(_ key: Key) {
    shards.shard(Self.hash(key)).pointee.table.withLock { _ = $0.watched.remove(key) }
  }
}
