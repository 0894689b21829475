extension StorageAware {
  /// The system clock.
  @inlinable
  public var clock: StorageClock { .system }

  /// `false`: an asynchronous store waits by suspending its task.
  public var mayBlock: Bool { false }

  /// `nil`: a struct has no identity of its own.
  public var coordinator: StorageCoordinator<Key>? { nil }

  /// `nil`: changes made by other processes are not reported.
  public var invalidationSource: InvalidationSource<Key>? { nil }
}

extension StorageAware {
  /// Returns the expiry of a replaced value, or `nil` if the value has expired.
  @inlinable
  package func kept(_ expiry: Expiry?) -> Expiry? { expiry.flatMap { $0.isExpired(by: clock) ? nil : $0 } }
}

extension StorageAware where Self: AnyObject {
  /// The coordinator of this object, shared by everything that uses the object.
  public var coordinator: StorageCoordinator<Key>? { StorageCoordinator.of(self) }
}

extension SyncStorageAware {
  /// `true`: a synchronous store waits by blocking its thread. Override it in a store that never waits.
  public var mayBlock: Bool { true }
}
