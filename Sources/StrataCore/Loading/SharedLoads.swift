/// The loads of a store that are in flight, for each type as which its values are read.
package final class SharedLoads<Key: Hashable & Sendable>: Sendable {
  private let flights = Locked<[ObjectIdentifier: any Sendable]>([:])

  package init() {}

  /// The loads of values of one type.
  package func flights<Value: Sendable>(of type: Value.Type) -> Flights<Key, Value> {
    flights.withLock { flights in
      if let known = flights[ObjectIdentifier(type)] as? Flights<Key, Value> { return known }
      let new = Flights<Key, Value>()
      flights[ObjectIdentifier(type)] = new
      return new
    }
  }
}
