extension KeyOrder {
  /// Creates the order of operations that use certain stores in their turns.
  package convenience init(over stores: [any StorageAware]) {
    self.init(
      tasksMayWait: stores.contains { mayWait($0) },
      tasksSuspend: stores.contains { maySuspend($0) },
      threadsMayWait: stores.allSatisfy { $0 is any SyncStorageAware })
  }
}

/// Returns whether an operation of a store with `await` may suspend. Otherwise it runs on the caller's thread, which it
/// may block.
package func maySuspend(_ store: any StorageDesign) -> Bool {
  store.traits.suspends
    ?? (!(store is any SyncStorageAware) || store.wrappedStorages.contains(where: maySuspend))
}

/// Returns whether an operation of a store may have to wait, by blocking or by suspending.
package func mayWait(_ store: any StorageAware) -> Bool {
  store.mayBlock || !(store is any SyncStorageAware)
}
