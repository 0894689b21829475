/// A store whose changes are made in another store first. Only the front is read.
///
/// The front is authoritative. A change that the back refuses is not made in the front. If the front fails, the back is
/// ahead of it; the back is never behind. Once the back has made a change, it is finished even if its task is
/// cancelled.
package struct PushingStorage<Front: StorageAware, Back: StorageAware>: StorageAware
where Front.Key == Back.Key, Front.Value == Back.Value {
  package typealias Key = Front.Key
  package typealias Value = Front.Value

  @usableFromInline let front: Front
  let back: Back
  /// The ordering of changes: the changes of one key reach both stores in the same order.
  let order: KeyOrder<Key>
  let ownCoordinator = StorageCoordinator<Key>()

  init(front: Front, back: Back) {
    self.front = front
    self.back = back
    order = KeyOrder(over: [front, back])
  }

  package var storageName: String { "pushing" }
  package var wrappedStorages: [any StorageDesign] { [front, back] }
  package var clock: StorageClock { front.clock }
  /// Always `true`: a call may wait for its key's turn while a suspended task has it.
  package var mayBlock: Bool { true }
  package var coordinator: StorageCoordinator<Key>? { front.coordinator ?? ownCoordinator }
  package var invalidationSource: InvalidationSource<Key>? { front.invalidationSource }

  package func peek(forKey key: Key) -> Entry<Value>? { front.peek(forKey: key) }
}
