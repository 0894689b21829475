// sync: extension ByteTier: SyncStorageAware where Base: SyncStorageAware {
extension ByteTier {
  /// Returns the stored entry, with its bytes wrapped, or `nil`.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<TypeWrapper>? {
    if how.contains(.quietly) { return nil }
    guard let entry = try await base.read(key, how) else { return nil }
    return shown(entry)
  }

  /// Returns many entries, read in one batch.
  @inlinable
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<TypeWrapper>] {
    if how.contains(.quietly) { return [:] }
    return try await base.read(keys, how).mapValues { shown($0) }
  }

  /// Changes a key as the byte store does. The value is encoded first.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) async throws -> Bool {
    try await base.change(key, change.map { try $0.data() }, how)
  }

  /// Changes many keys as the byte store does.
  @inlinable
  public func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) async throws {
    if case .set(let objects, let expiry) = batch, try await setWrapped(objects, expiry: expiry) { return }
    try await base.change(batch.map { try $1.data() }, how)
  }

  /// Returns a page of the byte store's keys.
  @inlinable
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.list(after: cursor, limit: limit)
  }

  /// Removes all entries, or those that have expired.
  @inlinable
  public func clear(_ extent: StoreExtent) async throws { try await base.clear(extent) }
}

// sync: extension ByteTier: SyncUpdateableStorage where Base: SyncUpdateableStorage {
extension ByteTier: UpdateableStorage where Base: UpdateableStorage {
  /// Updates a value as one operation of the byte store. Returns the stored value.
  ///
  /// Throws `.notFound` if there is no value. The new value is encoded before it is stored: if that fails, or `modify`
  /// throws, nothing changes.
  @inlinable
  @discardableResult
  public func update(
    forKey key: Key, _ modify: (inout TypeWrapper) throws -> Void
  ) async throws -> TypeWrapper {
    // sync: if let stored = try versioned?.update(forKey: key, modify) { return stored }
    // sync: var changed: TypeWrapper?
    var changed: TypeWrapper?
    let stored = try await base.update(forKey: key) { bytes in
      var wrapper = TypeWrapper(data: bytes)
      try modify(&wrapper)
      bytes = try wrapper.data(forKey: key)
      changed = wrapper
    }
    return changed ?? TypeWrapper(data: stored)
  }
}
