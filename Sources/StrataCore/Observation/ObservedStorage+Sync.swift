// Generated from ObservedStorage+Async.swift by `make twins`.
extension ObservedStorage {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<TypeWrapper>? {
    if !observers.hasDoubts || !how.isDisjoint(with: [.quietly, .expiryOnly]) {
      return try inner.read(key, how)
    }
    return try readInDoubt(key, how)
  }

  /// A read of the entry ends the doubts about the key. A lookup at once must not.
  @usableFromInline
  func readInDoubt(_ key: Key, _ how: How) throws -> Entry<TypeWrapper>? {
    if how.contains(.atOnce), observers.isInDoubt(key) { throw WouldWait() }
    let entry = try inner.read(key, how)
    settle(key, entry)
    return entry
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<TypeWrapper>] {
    if !how.allowsBatch { return try readEach(keys, how) }
    let entries = try inner.read(keys, how)
    if observers.hasDoubts { for key in keys { settle(key, entries[key]) } }
    return entries
  }

  /// Ends the doubts about failed changes of a key, of which a read has found this entry.
  func settle(_ key: Key, _ entry: Entry<TypeWrapper>?) {
    // The end of a read does not deliver.
    if observers.settle(key, found: entry.liveObject(by: clock)) { shared.deliverElsewhere() }
  }

  @inlinable
  package func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) throws -> Bool {
    if observers.isEmpty { return try inner.change(key, change, how) }
    return try changeObserved(key, change, how)
  }

  @inlinable
  func changeObserved(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) throws -> Bool {
    // The previous value may have to be read for the observers.
    if how.contains(.atOnce) { throw WouldWait() }
    if !change.hasObject { return try dropObserved(key, change, how) }
    let object = change.object
    let isWatched = observers.isWatched(key)
    var before: Entry<TypeWrapper>?
    if isWatched, !change.kind.isConditional { before = readable { try read(key, []) } ?? nil }
    do {
      guard try inner.change(key, change, how) else { return false }
    } catch { throw failedWrite(of: object, forKey: key, before: before, error) }
    observers.record(.add(key: key), keys: isWatched ? [key: edit(before, object)] : [:])
    return true
  }

  @usableFromInline
  func dropObserved(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) throws -> Bool {
    switch change.kind {
    case .remove:
      let existed = exists(key)
      do { _ = try inner.change(key, change, how) } catch {
        throw failedRemoval(of: existed ? [key] : [], error)
      }
      if existed { observers.record(.remove(key: key), keys: [key: .remove]) }
      return true
    case .forget:
      defer { observers.record(.removeInMemory(key: key)) }
      return try inner.change(key, change, how)
    // The value does not change.
    case .set, .replace, .setIfAbsent, .touch: return try inner.change(key, change, how)
    }
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) throws {
    if observers.isEmpty { return try inner.change(batch, how) }
    if case .remove(let keys) = batch { return try removing(keys, how) }
    let objects = batch.objects
    let watched = observers.watched(objects.keys)
    let before = watched.isEmpty ? [:] : readable { try read(watched, []) } ?? [:]
    do { try inner.change(batch, how) } catch {
      for (key, object) in objects {
        _ = failedWrite(of: object, forKey: key, before: before[key], error)
      }
      throw error
    }
    for (key, object) in objects {
      observers.record(.add(key: key), keys: watched.contains(key) ? [key: edit(before[key], object)] : [:])
    }
  }

  private func removing(_ keys: [Key], _ how: How) throws {
    var existing: [Key] = []
    for key in keys where exists(key) { existing.append(key) }
    do { try inner.change(.remove(keys), how) } catch {
      throw failedRemoval(of: existing, error)
    }
    for key in existing { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try inner.list(after: cursor, limit: limit)
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) throws {
    switch extent {
    case .everything:
      let removed = watched { exists($0) }
      do { try inner.clear(extent) } catch { throw failedRemoval(ofAll: removed, error) }
      if !observers.isEmpty { observers.record(.removeAll, keys: removed) }
    case .expired:
      let removed = watched { hasExpired($0) }
      do { try inner.clear(extent) } catch { throw failedSweep(of: removed, error) }
      if !observers.isEmpty { observers.record(.removeExpired, keys: removed) }
    }
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

  /// Returns the result of `read` for an observer, or `nil` if it fails: a failed read must not prevent the change.
  @usableFromInline
  func readable<R>(_ read: () throws -> R) -> R? {
    do { return try read() } catch { return nil }
  }

  @usableFromInline
  typealias KeyEvent = ObserverList<Key>.KeyEvent

  @usableFromInline
  func edit(_ before: Entry<TypeWrapper>?, _ after: TypeWrapper) -> KeyEvent {
    .edit(before: before.liveObject(by: clock), after: after)
  }
}
