public import StrataCore

/// A memory as the tier of a chain: objects are read without their wrappers being retained.
extension MemoryStorage where Value == TypeWrapper {
  /// Reads an object that has not expired and is there as a type, which counts as use of it. To find none is no miss.
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

  /// The same with its expiry, and `orExpired` also an object that has expired.
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

  /// The object of a node, under the lock of its table: the node keeps the wrapper alive meanwhile.
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
