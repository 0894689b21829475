import Synchronization

/// The loads of a store that are in flight, for each type as which its values are read.
package final class SharedLoads<Key: Hashable & Sendable>: Sendable {
  private struct Loads: Sendable {
    let flights: any Sendable
    let overtake: @Sendable (TurnScope<Key>) -> Void
  }

  private let loads = Locked<[ObjectIdentifier: Loads]>([:])
  /// Spares a store that has never loaded anything the lock.
  private let isUsed = Atomic(false)

  package init() {}

  /// The loads of values of one type.
  package func flights<Value: Sendable>(of type: Value.Type) -> Flights<Key, Value> {
    loads.withLock { loads in
      if let known = loads[ObjectIdentifier(type)]?.flights as? Flights<Key, Value> { return known }
      let new = Flights<Key, Value>()
      loads[ObjectIdentifier(type)] = Loads(flights: new) { new.overtake($0) }
      isUsed.store(true, ordering: .releasing)
      return new
    }
  }

  /// Tells that keys are about to be removed, by somebody who waits for the turn of these keys next: what is being
  /// loaded is not stored, or is stored before their turn, and who comes later does not join.
  package func overtake(_ scope: TurnScope<Key>) {
    guard isUsed.load(ordering: .acquiring) else { return }
    for loads in loads.withLock({ Array($0.values) }) { loads.overtake(scope) }
  }
}

extension Flights {
  /// Tells that keys were changed, or are about to be.
  func overtake(_ scope: TurnScope<Key>) {
    switch scope {
    case .key(let key): overtake(key)
    case .keys(let keys): overtake(keys)
    case .everything: overtakeAll()
    }
  }
}
