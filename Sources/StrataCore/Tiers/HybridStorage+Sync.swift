// Generated from HybridStorage+Async.swift by `make twins`.
extension HybridStorage: SyncStorageAware
where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns an entry: see ``StorageAware``.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<TypeWrapper>? {
    try tiers.read(key, how)
  }

  /// Returns many entries, those that are not in front in one batch.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<TypeWrapper>] {
    try tiers.read(keys, how)
  }

  /// Changes the back, then the front. A value is encoded first: a value that has no bytes changes nothing.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) throws -> Bool {
    if !change.hasObject { return try tiers.change(key, change, how) }
    try encode(change.object, forKey: key)
    let isMade = try tiers.change(key, change, how)
    change.object.forgetBytes()
    return isMade
  }

  /// Changes many keys, in one batch per tier.
  public func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) throws {
    for (key, object) in batch.objects { try encode(object, forKey: key) }
    try tiers.change(batch, how)
    for object in batch.objects.values { object.forgetBytes() }
  }

  /// Returns a page of the keys of both tiers.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try tiers.list(after: cursor, limit: limit)
  }

  /// Removes entries from both tiers.
  public func clear(_ extent: StoreExtent) throws { try tiers.clear(extent) }
}

extension HybridStorage: SyncUpdateableStorage
where Front: SyncStorageAware, Back: SyncStorageAware & SyncUpdateableStorage {
  /// Updates a value as the back does, atomically for all of its writers, and then stores it in front.
  ///
  /// The back's bytes are not decoded if the front certainly holds the same value: its object is then the current one.
  @inlinable
  @discardableResult
  public func update(
    forKey key: Key, _ modify: (inout TypeWrapper) throws -> Void
  ) throws -> TypeWrapper {
    let stored = try tiers.update(forKey: key, agreement: { $0.agreement(with: $1) }, modify)
    stored.forgetBytes()
    return stored
  }
}
