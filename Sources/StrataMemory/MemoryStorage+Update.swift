public import StrataCore
public import Synchronization

extension MemoryStorage: UpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. No lock is held while `modify` runs: if
  /// somebody else writes the key meanwhile, it runs again on the new value. To write the key inside it throws
  /// `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try updates.withTurn(.key(key)) {
      runningUpdates.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer { runningUpdates.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
      while true {
        guard let seen = node(forKey: key), !seen.expiry.isExpired(by: clock) else {
          throw StorageError.notFound.with(key: key)
        }
        var value = seen.value
        try modify(&value)
        if put(value, forKey: key, expiry: seen.expiry, replacing: seen.written) { return value }
      }
    }
  }

  /// Throws if this thread is inside the update of a key, which must not write that key by another way.
  @inlinable
  func refuseInsideUpdate(of key: Key) throws {
    if runningUpdates.load(ordering: .relaxed) > 0 { try updates.refuseInsideTurn(of: key) }
  }

  private func node(forKey key: Key) -> Node? {
    let hash = key.hashValue
    return shards.buffer[shards.index(hash)].table.withLock { table in
      table.find(key, hash: hash).map { table.nodes[Int($0)] }
    }
  }
}
