extension AsyncObservedStorage {
  /// Returns the result of `read` for an observer, or `nil` if it fails: a failed read must not prevent the change.
  @usableFromInline
  func readable<R>(_ read: () async throws -> R) async -> R? {
    do { return try await read() } catch { return nil }
  }

  /// Ends the doubts about failed changes of a key, of which a read has found this entry.
  @usableFromInline
  func settle(_ key: Key, _ entry: Entry<TypeWrapper>?) {
    let found = entry.flatMap { isLive($0.expiry) ? $0.object : nil }
    // The end of a read does not deliver.
    if observers.settle(key, found: found) { shared.deliverElsewhere() }
  }

  @usableFromInline
  package func removeAll() async throws {
    let removed = await watched { await exists($0) }
    do { try await inner.removeAll() } catch { throw await failedRemoval(ofAll: removed, error) }
    if !observers.isEmpty { observers.record(.removeAll, keys: removed) }
  }

  @usableFromInline
  package func removeExpiredObjects() async throws {
    let removed = await watched { await hasExpired($0) }
    do { try await inner.removeExpiredObjects() } catch { throw await failedSweep(of: removed, error) }
    if !observers.isEmpty { observers.record(.removeExpired, keys: removed) }
  }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await inner.removeInMemoryObject(forKey: key)
    if !observers.isEmpty { observers.record(.removeInMemory(key: key)) }
  }

  @usableFromInline
  package func keys() async throws -> [Key] { try await inner.keys() }

  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await inner.keyPage(after: cursor, limit: limit)
  }

  @usableFromInline
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await inner.expiryIfPresent(forKey: key)
  }

  @usableFromInline
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<TypeWrapper>] {
    let entries = try await inner.entries(forKeys: keys)
    if observers.hasDoubts { for key in keys { settle(key, entries[key]) } }
    return entries
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    try await observing(objects) { try await inner.setObjects(objects, expiry: expiry) }
  }

  @usableFromInline
  package func setEntries(_ entries: [Key: Entry<TypeWrapper>]) async throws {
    try await observing(entries.mapValues(\.object)) { try await inner.setEntries(entries) }
  }

  private func observing(_ objects: [Key: TypeWrapper], _ write: () async throws -> Void) async throws {
    let watched = observers.isEmpty ? [] : observers.watched(objects.keys)
    let before = watched.isEmpty ? [:] : await readable { try await entries(forKeys: watched) } ?? [:]
    do { try await write() } catch {
      for (key, object) in objects {
        _ = await failedWrite(of: object, forKey: key, before: before[key], error)
      }
      throw error
    }
    if observers.isEmpty { return }
    for (key, object) in objects {
      observers.record(.add(key: key), keys: watched.contains(key) ? [key: edit(before[key], object)] : [:])
    }
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) async throws {
    var existing: [Key] = []
    if !observers.isEmpty {
      for key in keys where await exists(key) { existing.append(key) }
    }
    do { try await inner.removeObjects(forKeys: keys) } catch {
      throw await failedRemoval(of: existing, error)
    }
    for key in existing { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  /// Returns removals of the observed keys that meet a condition.
  private func watched(where fits: (Key) async -> Bool) async -> [Key: KeyEvent] {
    var removed: [Key: KeyEvent] = [:]
    for key in observers.isEmpty ? [] : observers.watchedKeys where await fits(key) {
      removed[key] = .remove
    }
    return removed
  }

  /// Returns whether an entry has expired. An entry that cannot be read counts as expired: the observer must not rely
  /// on a value that may no longer exist.
  private func hasExpired(_ key: Key) async -> Bool {
    guard let expiry = await readable({ try await inner.expiryIfPresent(forKey: key) }) else { return true }
    return expiry.map { $0.isExpired(by: clock) } ?? false
  }
}

extension AsyncObservedStorage: ConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    do {
      guard try await inner.change(key, .setIfAbsent(object, expiry), []) else {
        return false
      }
    } catch { throw await failedWrite(of: object, forKey: key, before: nil, error) }
    if !observers.isEmpty {
      let isWatched = observers.isWatched(key)
      observers.record(.add(key: key), keys: isWatched ? [key: edit(nil, object)] : [:])
    }
    return true
  }

  /// Changes the expiry without informing observers, since the value does not change.
  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await inner.change(key, .touch(expiry), [])
  }
}
