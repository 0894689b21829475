extension AsyncObservedStorage {
  @usableFromInline  // sync: @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<TypeWrapper>? {
    if !observers.hasDoubts || !how.isDisjoint(with: [.quietly, .expiryOnly]) {
      return try await inner.read(key, how)
    }
    return try await readInDoubt(key, how)
  }

  /// A read of the entry ends the doubts about the key. A lookup at once must not.
  @usableFromInline
  func readInDoubt(_ key: Key, _ how: How) async throws -> Entry<TypeWrapper>? {
    if how.contains(.atOnce), observers.isInDoubt(key) { throw WouldWait() }
    let entry = try await inner.read(key, how)
    settle(key, entry)
    return entry
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<TypeWrapper>] {
    if !how.allowsBatch { return try await readEach(keys, how) }
    let entries = try await inner.read(keys, how)
    if observers.hasDoubts { for key in keys { settle(key, entries[key]) } }
    return entries
  }

  /// Ends the doubts about failed changes of a key, of which a read has found this entry.
  func settle(_ key: Key, _ entry: Entry<TypeWrapper>?) {
    // The end of a read does not deliver.
    if observers.settle(key, found: entry.liveObject(by: clock)) { shared.deliverElsewhere() }
  }

  @usableFromInline  // sync: @inlinable
  package func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) async throws -> Bool {
    if observers.isEmpty { return try await inner.change(key, change, how) }
    return try await changeObserved(key, change, how)
  }

  @usableFromInline  // sync: @inlinable
  func changeObserved(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) async throws -> Bool {
    // The previous value may have to be read for the observers.
    if how.contains(.atOnce) { throw WouldWait() }
    if !change.hasObject { return try await dropObserved(key, change, how) }
    let object = change.object
    let isWatched = observers.isWatched(key)
    var before: Entry<TypeWrapper>?
    if isWatched, !change.kind.isConditional { before = await readable { try await read(key, []) } ?? nil }
    do {
      guard try await inner.change(key, change, how) else { return false }
    } catch { throw await failedWrite(of: object, forKey: key, before: before, error) }
    observers.record(.add(key: key), keys: isWatched ? [key: edit(before, object)] : [:])
    return true
  }

  @usableFromInline
  func dropObserved(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) async throws -> Bool {
    switch change.kind {
    case .remove:
      let existed = await exists(key)
      do { _ = try await inner.change(key, change, how) } catch {
        throw await failedRemoval(of: existed ? [key] : [], error)
      }
      if existed { observers.record(.remove(key: key), keys: [key: .remove]) }
      return true
    case .forget:
      defer { observers.record(.removeInMemory(key: key)) }
      return try await inner.change(key, change, how)
    // The value does not change.
    case .set, .replace, .setIfAbsent, .touch: return try await inner.change(key, change, how)
    }
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) async throws {
    if observers.isEmpty { return try await inner.change(batch, how) }
    if case .remove(let keys) = batch { return try await removing(keys, how) }
    let objects = batch.objects
    let watched = observers.watched(objects.keys)
    let before = watched.isEmpty ? [:] : await readable { try await read(watched, []) } ?? [:]
    do { try await inner.change(batch, how) } catch {
      for (key, object) in objects {
        _ = await failedWrite(of: object, forKey: key, before: before[key], error)
      }
      throw error
    }
    for (key, object) in objects {
      observers.record(.add(key: key), keys: watched.contains(key) ? [key: edit(before[key], object)] : [:])
    }
  }

  private func removing(_ keys: [Key], _ how: How) async throws {
    var existing: [Key] = []
    for key in keys where await exists(key) { existing.append(key) }
    do { try await inner.change(.remove(keys), how) } catch {
      throw await failedRemoval(of: existing, error)
    }
    for key in existing { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await inner.list(after: cursor, limit: limit)
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) async throws {
    switch extent {
    case .everything:
      let removed = await watched { await exists($0) }
      do { try await inner.clear(extent) } catch { throw await failedRemoval(ofAll: removed, error) }
      if !observers.isEmpty { observers.record(.removeAll, keys: removed) }
    case .expired:
      let removed = await watched { await hasExpired($0) }
      do { try await inner.clear(extent) } catch { throw await failedSweep(of: removed, error) }
      if !observers.isEmpty { observers.record(.removeExpired, keys: removed) }
    }
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

  /// Returns the result of `read` for an observer, or `nil` if it fails: a failed read must not prevent the change.
  @usableFromInline
  func readable<R>(_ read: () async throws -> R) async -> R? {
    do { return try await read() } catch { return nil }
  }

  @usableFromInline
  typealias KeyEvent = ObserverList<Key>.KeyEvent

  @usableFromInline
  func edit(_ before: Entry<TypeWrapper>?, _ after: TypeWrapper) -> KeyEvent {
    .edit(before: before.liveObject(by: clock), after: after)
  }
}
