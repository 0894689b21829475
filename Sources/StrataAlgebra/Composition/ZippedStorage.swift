public import StrataCore

/// Two keyed stores as one store of pairs.
@usableFromInline
package struct ZippedStorage<A: StorageAware, B: StorageAware>: StorageAware where A.Key == B.Key {
  @usableFromInline package typealias Key = A.Key
  @usableFromInline package typealias Value = (A.Value, B.Value)

  @usableFromInline let first: A
  @usableFromInline let second: B
  @usableFromInline let changes: PairChanges<Key>
  let ownCoordinator = StorageCoordinator<Key>()
  /// Whether operations of both stores may wait, and those of one may suspend. If one store never waits, using them
  /// concurrently saves no time.
  let bothMayWait: Bool
  /// The invalidation source of both stores, since a pair changes with either part.
  @usableFromInline package let invalidationSource: InvalidationSource<Key>?

  @usableFromInline
  init(first: A, second: B) {
    self.first = first
    self.second = second
    changes = PairChanges(order: KeyOrder(over: [first, second]))
    // Waiting for child tasks suspends, and callers without `await` that wait for the turn could block all threads.
    bothMayWait = mayWait(first) && mayWait(second) && changes.order.tasksSuspend
    let parts = [first.invalidationSource, second.invalidationSource].compactMap { $0 }
    invalidationSource = parts.isEmpty ? nil : InvalidationSource(of: parts) { $0 }
  }

  @usableFromInline package var storageName: String { "zip" }
  @usableFromInline package var wrappedStorages: [any StorageDesign] { [first, second] }
  @inlinable package var clock: StorageClock { first.clock }
  /// Always `true`: a call may wait for its key's turn while a suspended task has it.
  @usableFromInline package var mayBlock: Bool { true }
  @usableFromInline package var coordinator: StorageCoordinator<Key>? { ownCoordinator }

  /// Returns both parts if both are cached and no pair changes meanwhile.
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? {
    changes.undisturbed {
      guard let one = first.peek(forKey: key) else { return nil }
      return second.peek(forKey: key).map { pair(one, $0) }
    }
  }

  @inlinable
  func pair(_ one: Entry<A.Value>, _ two: Entry<B.Value>) -> Entry<Value> {
    Entry(object: (one.object, two.object), expiry: .earlier(one.expiry, two.expiry))
  }
}
