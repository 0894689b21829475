/// Two keyed stores as one store of pairs.
package struct ZippedStorage<A: StorageAware, B: StorageAware>: StorageAware where A.Key == B.Key {
  package typealias Key = A.Key
  package typealias Value = (A.Value, B.Value)

  let first: A
  let second: B
  let changes = PairChanges<Key>()
  let ownHub = StorageHub<Key>()
  /// Whether both stores may have to wait: where one never does, nothing is won by using them at the same time.
  let bothMayWait: Bool
  /// A pair changes with either part.
  package let announcer: StorageAnnouncer<Key>?

  init(first: A, second: B) {
    self.first = first
    self.second = second
    bothMayWait = mayWait(first) && mayWait(second)
    let parts = [first.announcer, second.announcer].compactMap { $0 }
    announcer = parts.isEmpty ? nil : StorageAnnouncer(of: parts) { $0 }
  }

  package var storageName: String { "zip" }
  package var wrappedStorages: [any StorageDesign] { [first, second] }
  package var clock: StorageClock { first.clock }
  /// Always: a call may have to wait for its turn, which a task has that is suspended.
  package var mayBlock: Bool { true }
  package var hub: StorageHub<Key>? { ownHub }

  /// Both parts, if both are at hand and no pair changes meanwhile.
  package func peek(forKey key: Key) -> Entry<Value>? {
    changes.undisturbed {
      guard let one = first.peek(forKey: key) else { return nil }
      return second.peek(forKey: key).map { pair(one, $0) }
    }
  }

  func pair(_ one: Entry<A.Value>, _ two: Entry<B.Value>) -> Entry<Value> {
    Entry(object: (one.object, two.object), expiry: .earlier(one.expiry, two.expiry))
  }
}

/// Whether an operation of a store may have to wait, by blocking or by suspending.
private func mayWait(_ store: some StorageAware) -> Bool {
  store.mayBlock || !(store is any SyncStorageAware)
}
