public import StrataDelegate
public import Synchronization

/// Reads of objects in the memory tier of a chain, without retaining their wrappers.
extension MemoryStorage where Value == TypeWrapper {
  /// Returns an object that has not expired and is decoded as the requested type. Counts as a use of the entry. If
  /// there is no such object, this does not count as a miss.
  @inlinable
  package func liveObject<Object: Sendable>(
    forKey key: Key, as transformer: Transformer<Object>
  ) -> Object? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      guard let hit = table.hit(key, hash: hash, clock: config.clock), hit.isValid else { return nil }
      return Self.object(of: hit.node, as: transformer)
    }
  }

  /// Returns an object that is decoded as the requested type, with its expiry; with `orExpired` even an expired one.
  @inlinable
  package func liveEntry<Object: Sendable>(
    forKey key: Key, as transformer: Transformer<Object>, orExpired: Bool = false
  ) -> Entry<Object>? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      guard let hit = table.hit(key, hash: hash, clock: config.clock), hit.isValid || orExpired,
        let object = Self.object(of: hit.node, as: transformer)
      else { return nil }
      return Entry(object: object, expiry: hit.expiry)
    }
  }

  /// Replaces a value as `overwrite` does, if `mayWrite` returns `true`. It is called with the key's hash while the
  /// key's shard is locked. Returns whether the value was replaced.
  ///
  /// A function of its own: with a condition, `overwrite` is no longer inlined, and a plain write takes a tenth longer.
  @inlinable
  package func overwrite(_ wrapper: TypeWrapper, forKey key: Key, if mayWrite: (Int) -> Bool) throws -> Bool {
    try refuseInsideUpdate(of: key)
    guard isPlain, !budget.isFull, !isTimed.load(ordering: .relaxed) else { return false }
    let whole = key._rawHashValue(seed: 0)
    let hash = UInt32(truncatingIfNeeded: whole)
    // Released outside the lock, since its deinit is user code.
    let old: TypeWrapper? = shards.shard(hash).pointee.table.withLock { table in
      guard table.watched.isEmpty, let found = table.entry(of: key, hash: hash),
        !found.node.pointee.state.isTimed, mayWrite(whole)
      else { return nil }
      table.replacements &+= 1
      return table.replace(found, with: wrapper, cost: 0)
    }
    guard let old else { return false }
    onRemoval?(Removal(key: key, value: old, reason: .replaced))
    return true
  }

  /// Returns the object of a node, under the lock of its table: the node keeps the wrapper alive meanwhile.
  @inlinable
  @inline(__always)
  static func object<Object: Sendable>(
    of node: UnsafeMutablePointer<MemoryNode<Key, Value>>, as transformer: Transformer<Object>
  ) -> Object? {
    Unmanaged.passUnretained(node.pointee.value)._withUnsafeGuaranteedRef {
      $0.cachedObject(as: transformer)
    }
  }
}
