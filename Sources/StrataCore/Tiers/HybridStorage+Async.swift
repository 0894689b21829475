// sync: extension HybridStorage: SyncStorageAware
// sync: where Front: SyncStorageAware, Back: SyncStorageAware {
extension HybridStorage {
  /// Returns an entry: see ``StorageAware``.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<TypeWrapper>? {
    try await tiers.read(key, how)
  }

  /// Returns many entries, those that are not in front in one batch.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<TypeWrapper>] {
    try await tiers.read(keys, how)
  }

  /// Changes the back, then the front. A value is encoded first: a value that has no bytes changes nothing.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) async throws -> Bool {
    if !change.hasObject { return try await tiers.change(key, change, how) }
    try encode(change.object, forKey: key)
    let isMade = try await tiers.change(key, change, how)
    change.object.forgetBytes()
    return isMade
  }

  /// Changes many keys, in one batch per tier.
  public func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) async throws {
    for (key, object) in batch.objects { try encode(object, forKey: key) }
    try await tiers.change(batch, how)
    for object in batch.objects.values { object.forgetBytes() }
  }

  /// Returns a page of the keys of both tiers.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await tiers.list(after: cursor, limit: limit)
  }

  /// Removes entries from both tiers.
  public func clear(_ extent: StoreExtent) async throws { try await tiers.clear(extent) }
}

// sync: extension HybridStorage: SyncUpdateableStorage
// sync: where Front: SyncStorageAware, Back: SyncStorageAware & SyncUpdateableStorage {
extension HybridStorage: UpdateableStorage where Back: UpdateableStorage {
  /// Updates a value as the back does, atomically for all of its writers, and then stores it in front.
  ///
  /// The back's bytes are not decoded if the front certainly holds the same value: its object is then the current one.
  @inlinable
  @discardableResult
  public func update(
    forKey key: Key, _ modify: (inout TypeWrapper) throws -> Void
  ) async throws -> TypeWrapper {
    let stored = try await tiers.update(forKey: key, agreement: { $0.agreement(with: $1) }, modify)
    stored.forgetBytes()
    return stored
  }
}
