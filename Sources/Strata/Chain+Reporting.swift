import StrataCore

extension Chain {
  func reportChanges(ofKey key: Key, _ tell: @escaping @Sendable () -> Bool) -> [ObservationToken] {
    [coordinator.observers.reportChanges(ofKey: key, tell)]
  }

  func reportChanges(_ tell: @escaping @Sendable (StorageChange<Key>?) -> Bool) -> [ObservationToken] {
    [coordinator.observers.addStorageObserver(isOwn: true) { tell($0) }]
  }
}

extension Storage: ChangeReporting {
  package func reportChanges(ofKey key: Key, _ tell: @escaping @Sendable () -> Bool) -> [ObservationToken] {
    chain.reportChanges(ofKey: key, tell)
  }

  package func reportChanges(_ tell: @escaping @Sendable (StorageChange<Key>?) -> Bool) -> [ObservationToken]
  { chain.reportChanges(tell) }
}

extension AsyncStorage: ChangeReporting {
  package func reportChanges(ofKey key: Key, _ tell: @escaping @Sendable () -> Bool) -> [ObservationToken] {
    chain.reportChanges(ofKey: key, tell)
  }

  package func reportChanges(_ tell: @escaping @Sendable (StorageChange<Key>?) -> Bool) -> [ObservationToken]
  { chain.reportChanges(tell) }
}
