package import StrataCore

/// A store whose changes are made in another store first. Only the front is read.
///
/// The front is authoritative. A change that the back refuses is not made in the front. If the front fails, the back is
/// ahead of it; the back is never behind. Once the back has made a change, it is finished even if its task is
/// cancelled.
package struct PushingStorage<Front: StorageAware, Back: StorageAware>: StorageLink
where Front.Key == Back.Key, Front.Value == Back.Value {
  package typealias Key = Front.Key
  package typealias Value = Front.Value

  package let base: Front
  let back: Back
  /// The ordering of changes: the changes of one key reach both stores in the same order.
  let order: KeyOrder<Key>
  let ownCoordinator = StorageCoordinator<Key>()

  init(front: Front, back: Back) {
    base = front
    self.back = back
    order = KeyOrder(over: [front, back])
  }

  package var storageName: String { "pushing" }
  package var wrappedStorages: [any StorageDesign] { [base, back] }
  /// Always `true`: a call may wait for its key's turn while a suspended task has it.
  package var mayBlock: Bool { true }
  package var coordinator: StorageCoordinator<Key>? { base.coordinator ?? ownCoordinator }
}
