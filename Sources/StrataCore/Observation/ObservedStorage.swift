/// The combinator that records every change of a store for its observers.
///
/// It is below the typed views, so that observers of one view see the changes of all views, and above the tiers. It
/// only records: the store above delivers after the operation's turn has ended. Without observers it reads and keeps
/// nothing.
@usableFromInline
package struct ObservedStorage<Key: Hashable & Sendable>: SyncStorageAware {
  @usableFromInline package typealias Value = TypeWrapper

  @usableFromInline let inner: ErasedTier<Key>
  package let bytes: DirectBytes<Key>?
  /// The coordinator of the store, even if `inner` has none.
  let shared: StorageCoordinator<Key>
  @usableFromInline let observers: ObserverList<Key>
  @usableFromInline package let clock: StorageClock

  package init(_ inner: ErasedTier<Key>, bytes: DirectBytes<Key>?, shared: StorageCoordinator<Key>) {
    self.inner = inner
    self.shared = shared
    observers = shared.observers
    self.bytes = bytes?.observed(by: observers)
    clock = inner.clock
  }

  @usableFromInline
  package var traits: StoreTraits { StoreTraits(showing: shown(inner)) }
  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [shown(inner)] }
  @usableFromInline
  package var mayBlock: Bool { inner.mayBlock }
  @usableFromInline
  package var coordinator: StorageCoordinator<Key>? { inner.coordinator }
  @usableFromInline
  package var invalidationSource: InvalidationSource<Key>? { inner.invalidationSource }
  @inlinable
  package func peek(forKey key: Key) -> Entry<TypeWrapper>? { inner.peek(forKey: key) }
}

extension ObservedStorage: SyncConditionalStorage {}

extension ObservedStorage {
  /// Whether updates are atomic for all writers of the tiers. If not, the chain's order makes them so for its own.
  @inlinable package var updatesAtomically: Bool { inner.updateOne != nil }

  /// Updates a value as the tiers do. The caller has checked that they can.
  @inlinable
  func updateInner(_ key: Key, _ modify: (inout TypeWrapper) throws -> Void) throws -> TypeWrapper {
    guard let update = inner.updateOne else { preconditionFailure("the tiers cannot update a value") }
    return try update(key, modify)
  }
}

/// `ObservedStorage` for an asynchronous inner store.
@usableFromInline
package struct AsyncObservedStorage<Key: Hashable & Sendable>: StorageAware {
  @usableFromInline package typealias Value = TypeWrapper

  let inner: any StorageAware<Key, TypeWrapper>
  /// The inner store, if it updates values atomically for all of its writers.
  let updating: (any UpdateableStorage<Key, TypeWrapper>)?
  let shared: StorageCoordinator<Key>
  let observers: ObserverList<Key>

  package init(_ inner: any StorageAware<Key, TypeWrapper>, shared: StorageCoordinator<Key>) {
    self.inner = inner
    updating = inner as? any UpdateableStorage<Key, TypeWrapper>
    self.shared = shared
    observers = shared.observers
  }

  @usableFromInline
  package var traits: StoreTraits { StoreTraits(showing: shown(inner)) }
  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [shown(inner)] }
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
}

extension AsyncObservedStorage: ConditionalStorage {}

extension AsyncObservedStorage {
  /// Whether updates are atomic for all writers of the tiers. If not, the chain's order makes them so for its own.
  package var updatesAtomically: Bool { updating != nil }

  func updateInner(_ key: Key, _ modify: (inout TypeWrapper) throws -> Void) async throws -> TypeWrapper {
    guard let updating else { preconditionFailure("the tiers cannot update a value") }
    return try await updating.update(forKey: key, modify)
  }
}

/// Thrown to end an update that has seen the value.
struct Seen: Error {}
