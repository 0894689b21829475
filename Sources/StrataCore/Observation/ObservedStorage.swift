/// The combinator that records every change of a store for its observers.
///
/// It is below the typed views, so that observers of one view see the changes of all views, and above the tiers. It
/// only records: the store above delivers after the operation's turn has ended. Without observers it reads and keeps
/// nothing.
@usableFromInline
package struct ObservedStorage<Key: Hashable & Sendable>: SyncStorageAware, TransparentStorage {
  @usableFromInline package typealias Value = TypeWrapper
  @usableFromInline typealias KeyEvent = ObserverList<Key>.KeyEvent

  let inner: any SyncStorageAware<Key, TypeWrapper>
  @usableFromInline let direct: DirectTier<Key>
  package let bytes: DirectBytes<Key>?
  let conditional: (any SyncConditionalStorage<Key, TypeWrapper>)?
  @usableFromInline let observers: ObserverList<Key>

  package init(
    _ inner: any SyncStorageAware<Key, TypeWrapper>, direct: DirectTier<Key>, bytes: DirectBytes<Key>?,
    observers: ObserverList<Key>
  ) {
    self.inner = inner
    conditional = inner.syncConditional
    self.direct = direct
    self.bytes = bytes?.observed(by: observers)
    self.observers = observers
  }

  @usableFromInline
  package var visible: any StorageDesign { inner }
  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [inner] }
  @usableFromInline
  package var clock: StorageClock { inner.clock }
  @usableFromInline
  package var mayBlock: Bool { inner.mayBlock }
  @usableFromInline
  package var coordinator: StorageCoordinator<Key>? { inner.coordinator }
  @usableFromInline
  package var invalidationSource: InvalidationSource<Key>? { inner.invalidationSource }
  @inlinable
  package func peek(forKey key: Key) -> Entry<TypeWrapper>? {
    direct.peek(key).map { Entry(object: $0.wrapper, expiry: $0.expiry) }
  }

  func isLive(_ expiry: Expiry?) -> Bool { expiry.map { !$0.isExpired(by: clock) } ?? false }

  @usableFromInline
  func edit(_ before: Entry<TypeWrapper>?, _ after: TypeWrapper) -> KeyEvent {
    .edit(before: before.flatMap { isLive($0.expiry) ? $0.object : nil }, after: after)
  }
}

extension ObservedStorage {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<TypeWrapper>? { try direct.read(key) }

  @inlinable
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    if observers.isEmpty { return try direct.write(object, key, expiry) }
    try observing(object, forKey: key) { try direct.write(object, key, expiry) }
  }

  /// Stores a value without waiting. With observers returns `false`, since the previous value may have to be read for
  /// them.
  @usableFromInline
  package func setObjectAtOnce(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try observers.isEmpty && direct.writeAtOnce(object, key, expiry)
  }

  @usableFromInline
  package func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try observing(object, forKey: key) { try inner.replaceObject(object, forKey: key, expiry: expiry) }
  }

  @inlinable
  func observing(_ object: TypeWrapper, forKey key: Key, _ write: () throws -> Void) throws {
    let isWatched = observers.isWatched(key)
    let before = isWatched ? readable { try direct.read(key) } : nil
    try write()
    observers.record(.add(key: key), keys: isWatched ? [key: edit(before ?? nil, object)] : [:])
  }

  /// Returns the result of `read` for an observer, or `nil` if it fails: that must not prevent the change.
  @usableFromInline
  func readable<R>(_ read: () throws -> R) -> R? {
    do { return try read() } catch { return nil }
  }

  /// Returns whether there is an entry to remove. An entry that cannot be read counts as one.
  private func exists(_ key: Key) -> Bool {
    readable { try inner.expiryIfPresent(forKey: key) }.map(isLive) ?? true
  }

  @inlinable
  package func removeObject(forKey key: Key) throws {
    if observers.isEmpty { return try direct.remove(key) }
    try removeObserved(forKey: key)
  }

  @usableFromInline
  func removeObserved(forKey key: Key) throws {
    let existed = exists(key)
    try inner.removeObject(forKey: key)
    if existed { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  @usableFromInline
  package func removeAll() throws {
    let removed = watched { isLive($0) }
    try inner.removeAll()
    if !observers.isEmpty { observers.record(.removeAll, keys: removed) }
  }

  @usableFromInline
  package func removeExpiredObjects() throws {
    let removed = watched { $0.map { $0.isExpired(by: clock) } ?? false }
    try inner.removeExpiredObjects()
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
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<TypeWrapper>> { direct.look(key) }

  @usableFromInline
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { inner.cachedExpiry(forKey: key) }

  @usableFromInline
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<TypeWrapper>] {
    try inner.entries(forKeys: keys)
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
    let before = watched.isEmpty ? [:] : readable { try inner.entries(forKeys: watched) } ?? [:]
    try write()
    if observers.isEmpty { return }
    for (key, object) in objects {
      observers.record(.add(key: key), keys: watched.contains(key) ? [key: edit(before[key], object)] : [:])
    }
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) throws {
    let existing = observers.isEmpty ? [] : keys.filter(exists)
    try inner.removeObjects(forKeys: keys)
    for key in existing { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  /// Returns removals of the observed keys whose expiry meets a condition. A key whose expiry cannot be read counts as
  /// removed: the observer must not rely on a value that may no longer exist.
  private func watched(where fits: (Expiry?) -> Bool) -> [Key: KeyEvent] {
    var removed: [Key: KeyEvent] = [:]
    for key in observers.isEmpty ? [] : observers.watchedKeys {
      if readable({ try inner.expiryIfPresent(forKey: key) }).map(fits) ?? true { removed[key] = .remove }
    }
    return removed
  }
}
