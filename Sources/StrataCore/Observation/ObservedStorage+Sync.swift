// Generated from ObservedStorage+Async.swift by `make twins`.
extension ObservedStorage {
  /// Returns the result of `read` for an observer, or `nil` if it fails: a failed read must not prevent the change.
  @usableFromInline
  func readable<R>(_ read: () throws -> R) -> R? {
    do { return try read() } catch { return nil }
  }

  /// Ends the doubts about failed changes of a key, of which a read has found this entry.
  @usableFromInline
  func settle(_ key: Key, _ entry: Entry<TypeWrapper>?) {
    let found = entry.flatMap { isLive($0.expiry) ? $0.object : nil }
    // The end of a read does not deliver.
    if observers.settle(key, found: found) { shared.deliverElsewhere() }
  }

  @usableFromInline
  package func removeAll() throws {
    let removed = watched { exists($0) }
    do { try inner.removeAll() } catch { throw failedRemoval(ofAll: removed, error) }
    if !observers.isEmpty { observers.record(.removeAll, keys: removed) }
  }

  @usableFromInline
  package func removeExpiredObjects() throws {
    let removed = watched { hasExpired($0) }
    do { try inner.removeExpiredObjects() } catch { throw failedSweep(of: removed, error) }
    if !observers.isEmpty { observers.record(.removeExpired, keys: removed) }
  }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) throws {
    try inner.removeInMemoryObject(forKey: key)
    if !observers.isEmpty { observers.record(.removeInMemory(key: key)) }
  }

  @usableFromInline
  package func keys() throws -> [Key] { try inner.keys() }

  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try inner.keyPage(after: cursor, limit: limit)
  }

  @usableFromInline
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try inner.expiryIfPresent(forKey: key)
  }

  @usableFromInline
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<TypeWrapper>] {
    let entries = try inner.entries(forKeys: keys)
    if observers.hasDoubts { for key in keys { settle(key, entries[key]) } }
    return entries
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws {
    try observing(objects) { try inner.setObjects(objects, expiry: expiry) }
  }

  @usableFromInline
  package func setEntries(_ entries: [Key: Entry<TypeWrapper>]) throws {
    try observing(entries.mapValues(\.object)) { try inner.setEntries(entries) }
  }

  private func observing(_ objects: [Key: TypeWrapper], _ write: () throws -> Void) throws {
    let watched = observers.isEmpty ? [] : observers.watched(objects.keys)
    let before = watched.isEmpty ? [:] : readable { try entries(forKeys: watched) } ?? [:]
    do { try write() } catch {
      for (key, object) in objects {
        _ = failedWrite(of: object, forKey: key, before: before[key], error)
      }
      throw error
    }
    if observers.isEmpty { return }
    for (key, object) in objects {
      observers.record(.add(key: key), keys: watched.contains(key) ? [key: edit(before[key], object)] : [:])
    }
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) throws {
    var existing: [Key] = []
    if !observers.isEmpty {
      for key in keys where exists(key) { existing.append(key) }
    }
    do { try inner.removeObjects(forKeys: keys) } catch {
      throw failedRemoval(of: existing, error)
    }
    for key in existing { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  /// Returns removals of the observed keys that meet a condition.
  private func watched(where fits: (Key) -> Bool) -> [Key: KeyEvent] {
    var removed: [Key: KeyEvent] = [:]
    for key in observers.isEmpty ? [] : observers.watchedKeys where fits(key) {
      removed[key] = .remove
    }
    return removed
  }

  /// Returns whether an entry has expired. An entry that cannot be read counts as expired: the observer must not rely
  /// on a value that may no longer exist.
  private func hasExpired(_ key: Key) -> Bool {
    guard let expiry = readable({ try inner.expiryIfPresent(forKey: key) }) else { return true }
    return expiry.map { $0.isExpired(by: clock) } ?? false
  }
}

extension ObservedStorage: SyncConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    do {
      guard try inner.change(key, .setIfAbsent(object, expiry), []) else {
        return false
      }
    } catch { throw failedWrite(of: object, forKey: key, before: nil, error) }
    if !observers.isEmpty {
      let isWatched = observers.isWatched(key)
      observers.record(.add(key: key), keys: isWatched ? [key: edit(nil, object)] : [:])
    }
    return true
  }

  /// Changes the expiry without informing observers, since the value does not change.
  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try inner.change(key, .touch(expiry), [])
  }
}
