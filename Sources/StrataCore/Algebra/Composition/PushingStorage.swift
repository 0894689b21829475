/// A store whose every change is made in another one first, and which is read alone.
///
/// The front is the truth. A change that the back refuses does not happen in front; so the back may be ahead of the
/// front, when that fails, and is never behind it.
package struct PushingStorage<Front: StorageAware, Back: StorageAware>: StorageAware
where Front.Key == Back.Key, Front.Value == Back.Value {
  package typealias Key = Front.Key
  package typealias Value = Front.Value

  @usableFromInline let front: Front
  let back: Back
  /// Changes of one key reach both stores in the same order.
  let order: KeyOrder<Key>
  let ownHub = StorageHub<Key>()

  init(front: Front, back: Back) {
    self.front = front
    self.back = back
    order = KeyOrder(tasksMayWait: mayWait(front) || mayWait(back))
  }

  package var storageName: String { "pushing" }
  package var wrappedStorages: [any StorageDesign] { [front, back] }
  package var clock: StorageClock { front.clock }
  /// Always: a call may have to wait for its turn, which a task has that is suspended.
  package var mayBlock: Bool { true }
  package var hub: StorageHub<Key>? { front.hub ?? ownHub }
  package var announcer: StorageAnnouncer<Key>? { front.announcer }

  package func peek(forKey key: Key) -> Entry<Value>? { front.peek(forKey: key) }
}
