import StrataCore

/// Both stores report the changes that their chain records.
extension ChangeReporting where Self: DownloadSharing {
  package func reportChanges(ofKey key: Key, _ tell: @escaping @Sendable () -> Bool) -> [ObservationToken] {
    [downloadCoordinator.observers.reportChanges(ofKey: key, tell)]
  }

  package func reportChanges(_ tell: @escaping @Sendable (StorageChange<Key>?) -> Bool) -> [ObservationToken]
  {
    [downloadCoordinator.observers.addStorageObserver(isOwn: true) { tell($0) }]
  }

  package var observedKeys: [Key] { downloadCoordinator.observers.watchedKeys }

  package func reportLostEntries() {
    downloadCoordinator.observers.record(.removeExpired)
    downloadCoordinator.deliver()
  }
}

extension Storage: ChangeReporting {}
extension AsyncStorage: ChangeReporting {}
