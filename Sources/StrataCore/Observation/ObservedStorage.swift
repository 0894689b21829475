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
  /// The coordinator of the store, even if `inner` has none.
  let shared: StorageCoordinator<Key>
  @usableFromInline let observers: ObserverList<Key>

  package init(
    _ inner: any SyncStorageAware<Key, TypeWrapper>, direct: DirectTier<Key>, bytes: DirectBytes<Key>?,
    shared: StorageCoordinator<Key>
  ) {
    self.inner = inner
    self.direct = direct
    self.shared = shared
    observers = shared.observers
    self.bytes = bytes?.observed(by: observers)
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

  @usableFromInline
  func isLive(_ expiry: Expiry?) -> Bool { expiry.map { !$0.isExpired(by: clock) } ?? false }

  @inlinable
  func edit(_ before: Entry<TypeWrapper>?, _ after: TypeWrapper) -> KeyEvent {
    .edit(before: before.flatMap { isLive($0.expiry) ? $0.object : nil }, after: after)
  }
}

extension ObservedStorage {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<TypeWrapper>? {
    let entry = try direct.read(key)
    if observers.hasDoubts { settle(key, entry) }
    return entry
  }

  @inlinable
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    if observers.isEmpty { return try direct.write(object, key, expiry) }
    try observing(object, forKey: key) { try direct.write(object, key, expiry) }
  }

  @inlinable
  package func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    if observers.isEmpty { return try direct.replace(object, key, expiry) }
    try observing(object, forKey: key) { try direct.replace(object, key, expiry) }
  }

  /// Stores a value without waiting. With observers returns `false`, since the previous value may have to be read for
  /// them.
  @usableFromInline
  package func setObjectAtOnce(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try observers.isEmpty && direct.writeAtOnce(object, key, expiry)
  }

  @inlinable
  func observing(_ object: TypeWrapper, forKey key: Key, _ write: () throws -> Void) throws {
    let isWatched = observers.isWatched(key)
    let before = isWatched ? readable { try entryIfPresent(forKey: key) } : nil
    do { try write() } catch { throw failedWrite(of: object, forKey: key, before: before ?? nil, error) }
    observers.record(.add(key: key), keys: isWatched ? [key: edit(before ?? nil, object)] : [:])
  }

  @inlinable
  package func removeObject(forKey key: Key) throws {
    if observers.isEmpty { return try direct.remove(key) }
    try removeObserved(forKey: key)
  }

  @usableFromInline
  func removeObserved(forKey key: Key) throws {
    let existed = exists(key)
    do { try inner.removeObject(forKey: key) } catch { throw failedRemoval(of: existed ? [key] : [], error) }
    if existed { observers.record(.remove(key: key), keys: [key: .remove]) }
  }

  @usableFromInline
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<TypeWrapper>> {
    // A read ends the doubts about the key.
    observers.isInDoubt(key) ? .unknown : direct.look(key)
  }

  @usableFromInline
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { inner.cachedExpiry(forKey: key) }
}
