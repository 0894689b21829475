/// A store that can report the changes which this process makes to it, through any view.
///
/// Only key types and keys are involved: a combinator that shows other values forwards the reports of its inner store.
package protocol ChangeReporting<Key>: StorageDesign {
  associatedtype Key: Hashable & Sendable

  /// Calls a closure after every change to the value of a key. The closure returns whether it wants further calls.
  func reportChanges(ofKey key: Key, _ tell: @escaping @Sendable () -> Bool) -> [ObservationToken]

  /// Calls a closure after every change of the store, with the change, or with `nil` if any key may have changed.
  func reportChanges(_ tell: @escaping @Sendable (StorageChange<Key>?) -> Bool) -> [ObservationToken]

  /// The keys whose values have observers.
  var observedKeys: [Key] { get }

  /// Tells the observers of the store that entries are no longer valid whose keys are not known.
  func reportLostEntries()
}

extension ObserverList {
  /// Calls a closure after every recorded change to the value of a key.
  package func reportChanges(ofKey key: Key, _ tell: @escaping @Sendable () -> Bool) -> ObservationToken {
    addObserver(forKey: key, isOwn: true) { _ in tell() }
  }
}

extension StorageDesign {
  /// Observes the changes of a key in this store, or in the inner stores if it does not report any itself. Returns no
  /// token if no store reports changes.
  package func observeChanges<Key: Hashable & Sendable>(
    ofKey key: Key, _ tell: @escaping @Sendable () -> Bool
  ) -> [ObservationToken] {
    if let reporting = self as? any ChangeReporting<Key> {
      return reporting.reportChanges(ofKey: key, tell)
    }
    let own = (self as? any StorageAware)?.observing(Key.self) { $0.reportChanges(ofKey: key, tell) }
    return (own.map { [$0] } ?? []) + wrappedStorages.flatMap { $0.observeChanges(ofKey: key, tell) }
  }

  /// Observes all changes of this store, or of the inner stores if it does not report any itself.
  package func observeChanges<Key: Hashable & Sendable>(
    _ tell: @escaping @Sendable (StorageChange<Key>?) -> Bool
  ) -> [ObservationToken] {
    if let reporting = self as? any ChangeReporting<Key> { return reporting.reportChanges(tell) }
    let own = (self as? any StorageAware)?.observing(Key.self) { observers in
      observers.addStorageObserver(isOwn: true) { tell($0) }
    }
    return (own.map { [$0] } ?? []) + wrappedStorages.flatMap { $0.observeChanges(tell) }
  }
}

extension StorageDesign {
  /// Returns the keys of this store, or else of the inner stores, whose values have observers.
  package func observedKeys<Key: Hashable & Sendable>(as type: Key.Type) -> Set<Key> {
    if let reporting = self as? any ChangeReporting<Key> { return Set(reporting.observedKeys) }
    return wrappedStorages.reduce(into: []) { $0.formUnion($1.observedKeys(as: type)) }
  }

  /// Tells the observers of this store, or else of the inner stores, that entries are no longer valid whose keys are
  /// not known.
  package func reportLostEntries() {
    if let reporting = self as? any ChangeReporting { return reporting.reportLostEntries() }
    for store in wrappedStorages { store.reportLostEntries() }
  }
}

extension StorageAware {
  /// Observes the views over this store, also those that are created later. Returns `nil` if the store has no
  /// coordinator, or its keys have another type.
  fileprivate func observing<Other>(
    _ type: Other.Type, _ add: (ObserverList<Other>) -> ObservationToken
  ) -> ObservationToken? {
    guard let coordinator = coordinator as? StorageCoordinator<Other> else { return nil }
    let token = add(coordinator.observers)
    // The token keeps the coordinator: without a view, nothing else does.
    return ObservationToken { withExtendedLifetime(coordinator) { token.cancel() } }
  }
}
