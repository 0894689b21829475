import StrataCore

/// The loading stores over one inner store. A change through one of them outdates the loads of all, and all store
/// loaded values in one per-key ordering.
final class LoadSiblings<Key: Hashable & Sendable>: Sendable {
  typealias Overtaking = @Sendable (TurnScope<Key>) -> Void

  let order = KeyOrder<Key>()
  private let members = Locked<[ObjectIdentifier: Overtaking]>([:])
  /// Keeps the coordinator alive, so that its identity is not reused while it finds this object.
  private let coordinator: StorageCoordinator<Key>?

  private init(_ coordinator: StorageCoordinator<Key>?) { self.coordinator = coordinator }

  /// Returns the loading stores over a store: those whose inner store has the same coordinator.
  static func of(_ base: some StorageAware<Key, some Any>) -> LoadSiblings {
    guard let coordinator = coordinator(of: base) else { return LoadSiblings(nil) }
    return siblingsInUse.withLock { known in
      let identity = ObjectIdentifier(coordinator)
      if let siblings = known[identity]?.object as? LoadSiblings { return siblings }
      known = known.filter { $0.value.object != nil }
      let new = LoadSiblings(coordinator)
      known[identity] = WeakSiblings(object: new)
      return new
    }
  }

  /// Returns the coordinator of a store; of the store that it uses, if it orders its own operations.
  private static func coordinator(of store: any StorageDesign) -> StorageCoordinator<Key>? {
    func own(_ store: some StorageAware) -> StorageCoordinator<Key>? {
      store.coordinator as? StorageCoordinator<Key>
    }
    if let aware = store as? any StorageAware, let coordinator = own(aware) { return coordinator }
    guard store.wrappedStorages.count == 1 else { return nil }
    return coordinator(of: store.wrappedStorages[0])
  }

  func add(_ member: ObjectIdentifier, _ overtaking: @escaping Overtaking) {
    members.withLock { $0[member] = overtaking }
  }

  func remove(_ member: ObjectIdentifier) { members.withLock { _ = $0.removeValue(forKey: member) } }

  /// Records a change of keys in all loading stores.
  func overtake(_ scope: TurnScope<Key>) {
    for overtake in members.withLock({ Array($0.values) }) { overtake(scope) }
  }
}

private struct WeakSiblings: Sendable { weak let object: (any AnyObject & Sendable)? }

/// The siblings in use, by the identity of their coordinator.
private let siblingsInUse = Locked<[ObjectIdentifier: WeakSiblings]>([:])
