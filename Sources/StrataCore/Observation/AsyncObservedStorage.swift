/// `ObservedStorage` for an asynchronous inner store.
package struct AsyncObservedStorage<Key: Hashable & Sendable>: StorageAware, TransparentStorage {
  package typealias Value = TypeWrapper
  typealias KeyEvent = ObserverList<Key>.KeyEvent

  let inner: any StorageAware<Key, TypeWrapper>
  let conditional: (any ConditionalStorage<Key, TypeWrapper>)?
  let observers: ObserverList<Key>

  package init(_ inner: any StorageAware<Key, TypeWrapper>, observers: ObserverList<Key>) {
    self.inner = inner
    conditional = inner.asyncConditional
    self.observers = observers
  }

  package var visible: any StorageDesign { inner }
  package var wrappedStorages: [any StorageDesign] { [inner] }
  package var clock: StorageClock { inner.clock }
  package var mayBlock: Bool { inner.mayBlock }
  package var coordinator: StorageCoordinator<Key>? { inner.coordinator }
  package var invalidationSource: InvalidationSource<Key>? { inner.invalidationSource }
  package func peek(forKey key: Key) -> Entry<TypeWrapper>? { inner.peek(forKey: key) }

  func isLive(_ expiry: Expiry?) -> Bool { expiry.map { !$0.isExpired(by: clock) } ?? false }

  func edit(_ before: Entry<TypeWrapper>?, _ after: TypeWrapper) -> KeyEvent {
    .edit(before: before.flatMap { isLive($0.expiry) ? $0.object : nil }, after: after)
  }
}

extension AsyncObservedStorage {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<TypeWrapper>? {
    try await inner.entryIfPresent(forKey: key)
  }

  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try await observing(object, forKey: key) {
      try await inner.setObject(object, forKey: key, expiry: expiry)
    }
  }

  package func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try await observing(object, forKey: key) {
      try await inner.replaceObject(object, forKey: key, expiry: expiry)
    }
  }

  private func observing(
    _ object: TypeWrapper, forKey key: Key, _ write: () async throws -> Void
  ) async throws {
    let isWatched = observers.isWatched(key)
    let before = isWatched ? await readable { try await inner.entryIfPresent(forKey: key) } : nil
    try await write()
    observers.record(.add(key: key), keys: isWatched ? [key: edit(before ?? nil, object)] : [:])
  }

  /// Returns the result of `read` for an observer, or `nil` if it fails: that must not prevent the change.
  private func readable<R>(_ read: () async throws -> R) async -> R? {
    do { return try await read() } catch { return nil }
  }

  /// Returns whether there is an entry to remove. An entry that cannot be read counts as one.
  private func exists(_ key: Key) async -> Bool {
    await readable { try await inner.expiryIfPresent(forKey: key) }.map(isLive) ?? true
  }

  package func removeObject(forKey key: Key) async throws {
    let existed = observers.isEmpty ? false : await exists(key)
    try await inner.removeObject(forKey: key)
    if existed { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  package func removeAll() async throws {
    let removed = await watched { isLive($0) }
    try await inner.removeAll()
    if !observers.isEmpty { observers.record(.removeAll, keys: removed) }
  }

  package func removeExpiredObjects() async throws {
    let removed = await watched { $0.map { $0.isExpired(by: clock) } ?? false }
    try await inner.removeExpiredObjects()
    if !observers.isEmpty { observers.record(.removeExpired, keys: removed) }
  }

  package func removeInMemoryObject(forKey key: Key) async throws {
    try await inner.removeInMemoryObject(forKey: key)
    if !observers.isEmpty { observers.record(.removeInMemory(key: key)) }
  }

  package func keys() async throws -> [Key] { try await inner.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await inner.keyPage(after: cursor, limit: limit)
  }

  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await inner.expiryIfPresent(forKey: key)
  }

  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<TypeWrapper>] {
    try await inner.entries(forKeys: keys)
  }

  package func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    try await observing(objects) { try await inner.setObjects(objects, expiry: expiry) }
  }

  package func setEntries(_ entries: [Key: Entry<TypeWrapper>]) async throws {
    try await observing(entries.mapValues(\.object)) { try await inner.setEntries(entries) }
  }

  private func observing(_ objects: [Key: TypeWrapper], _ write: () async throws -> Void) async throws {
    let watched = observers.isEmpty ? [] : observers.watched(objects.keys)
    let before = watched.isEmpty ? [:] : await readable { try await inner.entries(forKeys: watched) } ?? [:]
    try await write()
    if observers.isEmpty { return }
    for (key, object) in objects {
      observers.record(.add(key: key), keys: watched.contains(key) ? [key: edit(before[key], object)] : [:])
    }
  }

  package func removeObjects(forKeys keys: [Key]) async throws {
    var existing: [Key] = []
    if !observers.isEmpty {
      for key in keys where await exists(key) { existing.append(key) }
    }
    try await inner.removeObjects(forKeys: keys)
    for key in existing { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  /// Returns removals of the observed keys whose expiry meets a condition. A key whose expiry cannot be read counts as
  /// removed: the observer must not rely on a value that may no longer exist.
  private func watched(where fits: (Expiry?) -> Bool) async -> [Key: KeyEvent] {
    var removed: [Key: KeyEvent] = [:]
    for key in observers.isEmpty ? [] : observers.watchedKeys {
      if await readable({ try await inner.expiryIfPresent(forKey: key) }).map(fits) ?? true {
        removed[key] = .remove
      }
    }
    return removed
  }
}
