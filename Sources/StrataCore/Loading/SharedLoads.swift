import Synchronization

/// The in-flight loads of a store, by the type of their values.
package final class SharedLoads<Key: Hashable & Sendable>: Sendable {
  private struct Loads: Sendable {
    let flights: any Sendable
    let overtake: @Sendable (TurnScope<Key>) -> Void
  }

  private let loads = Locked<[ObjectIdentifier: Loads]>([:])
  /// Whether the store has ever loaded a value: if not, no operation takes the lock.
  private let isUsed = Atomic(false)

  package init() {}

  /// Returns the in-flight loads of values of one type.
  package func flights<Value: Sendable>(of type: Value.Type) -> Flights<Key, Value> {
    loads.withLock { loads in
      if let known = loads[ObjectIdentifier(type)]?.flights as? Flights<Key, Value> { return known }
      let new = Flights<Key, Value>()
      loads[ObjectIdentifier(type)] = Loads(flights: new) { new.overtake($0) }
      isUsed.store(true, ordering: .releasing)
      return new
    }
  }

  /// Records that keys are about to be removed by a caller that then waits for their turn. In-flight values are not
  /// stored, or stored before that turn, and later callers do not join these loads.
  package func overtake(_ scope: TurnScope<Key>) {
    guard isUsed.load(ordering: .acquiring) else { return }
    for loads in loads.withLock({ Array($0.values) }) { loads.overtake(scope) }
  }
}

extension Flights {
  /// Records that keys have changed, or are about to.
  func overtake(_ scope: TurnScope<Key>) {
    switch scope {
    case .key(let key): overtake(key)
    case .keys(let keys): overtake(keys)
    case .everything: overtakeAll()
    }
  }
}
