/// `ObservedStorage` for an asynchronous inner store.
@usableFromInline
package struct AsyncObservedStorage<Key: Hashable & Sendable>: StorageAware, TransparentStorage {
  @usableFromInline package typealias Value = TypeWrapper
  typealias KeyEvent = ObserverList<Key>.KeyEvent

  let inner: any StorageAware<Key, TypeWrapper>
  /// The coordinator of the store, even if `inner` has none.
  let shared: StorageCoordinator<Key>
  let observers: ObserverList<Key>

  package init(_ inner: any StorageAware<Key, TypeWrapper>, shared: StorageCoordinator<Key>) {
    self.inner = inner
    self.shared = shared
    observers = shared.observers
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
  @usableFromInline
  package func peek(forKey key: Key) -> Entry<TypeWrapper>? { inner.peek(forKey: key) }

  func isLive(_ expiry: Expiry?) -> Bool { expiry.map { !$0.isExpired(by: clock) } ?? false }

  func edit(_ before: Entry<TypeWrapper>?, _ after: TypeWrapper) -> KeyEvent {
    .edit(before: before.flatMap { isLive($0.expiry) ? $0.object : nil }, after: after)
  }
}

extension AsyncObservedStorage {
  @usableFromInline
  package func entryIfPresent(forKey key: Key) async throws -> Entry<TypeWrapper>? {
    let entry = try await inner.entryIfPresent(forKey: key)
    if observers.hasDoubts { settle(key, entry) }
    return entry
  }

  @usableFromInline
  package func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try await observing(object, forKey: key) {
      try await inner.setObject(object, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try await observing(object, forKey: key) {
      try await inner.replaceObject(object, forKey: key, expiry: expiry)
    }
  }

  func observing(
    _ object: TypeWrapper, forKey key: Key, _ write: () async throws -> Void
  ) async throws {
    let isWatched = observers.isWatched(key)
    let before = isWatched ? await readable { try await entryIfPresent(forKey: key) } : nil
    do { try await write() } catch {
      throw await failedWrite(of: object, forKey: key, before: before ?? nil, error)
    }
    observers.record(.add(key: key), keys: isWatched ? [key: edit(before ?? nil, object)] : [:])
  }

  @usableFromInline
  package func removeObject(forKey key: Key) async throws {
    let existed = observers.isEmpty ? false : await exists(key)
    do { try await inner.removeObject(forKey: key) } catch {
      throw await failedRemoval(of: existed ? [key] : [], error)
    }
    if existed { observers.record(.remove(key: key), keys: [key: .remove]) }
  }
}
