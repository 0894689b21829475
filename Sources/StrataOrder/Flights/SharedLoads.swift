import Synchronization

/// The in-flight loads of a store, by the type of their values.
package final class SharedLoads<Key: Hashable & Sendable>: Sendable {
  private let tables = Locked<[ObjectIdentifier: any OvertakenLoads<Key>]>([:])
  /// Whether the store has ever loaded a value: if not, no operation takes the lock.
  private let isUsed = Atomic(false)

  package init() {}

  /// Returns the in-flight loads of values of one type.
  package func flights<Value: Sendable>(of type: Value.Type) -> Flights<Key, Value> { table { Flights() } }

  /// Returns the table of a type, which `make` creates if there is none.
  package func table<Table: OvertakenLoads<Key>>(_ make: () -> Table) -> Table {
    tables.withLock { tables in
      if let known = tables[ObjectIdentifier(Table.self)] as? Table { return known }
      let new = make()
      tables[ObjectIdentifier(Table.self)] = new
      isUsed.store(true, ordering: .releasing)
      return new
    }
  }

  /// Returns the value that `read` finds, or else loads it, or waits for another caller's load. Reads a second time
  /// only if another load has stored a value meanwhile.
  ///
  /// - Parameters:
  ///   - mark: the mark before the caller's read that has found no value; `nil` if the caller has not read.
  ///   - store: stores the loaded value, in the key's turn, if `isValid` returns `true` then: no change has overtaken
  ///     the load.
  package func load<Value: Sendable>(
    _ key: Key, since mark: LoadMark? = nil, read: () throws -> Value?, _ load: () throws -> Value,
    store: (_ object: Value, _ isValid: () -> Bool) throws -> Void
  ) throws -> Value {
    let before = mark ?? .now
    if mark == nil, let object = try read() { return object }
    let flights = flights(of: Value.self)
    let readAgain = { before.isCurrent ? nil : try read() }
    return try flights.share(key, read: readAgain, load: load) { object, flight in
      defer { LoadMark.advance() }
      try store(object) { !flights.isOvertaken(flight) }
    }
  }

  /// Returns the value that `read` finds, or else loads it asynchronously, or waits for another caller's load. Reads a
  /// second time only if another load has stored a value meanwhile.
  ///
  /// - Parameters:
  ///   - mark: the mark before the caller's read that has found no value; `nil` if the caller has not read.
  ///   - store: stores the loaded value, in the key's turn, if `isValid` returns `true` then.
  package func load<Value: Sendable>(
    _ key: Key, since mark: LoadMark? = nil, read: () async throws -> Value?,
    _ load: () async throws -> Value,
    store: (_ object: Value, _ isValid: @escaping @Sendable () -> Bool) async throws -> Void
  ) async throws -> Value {
    let before = mark ?? .now
    if mark == nil, let object = try await read() { return object }
    let flights = flights(of: Value.self)
    let readAgain = { before.isCurrent ? nil : try await read() }
    return try await flights.share(key, read: readAgain, load: load) { object, flight in
      defer { LoadMark.advance() }
      try await store(object) { !flights.isOvertaken(flight) }
    }
  }

  /// Records that keys are about to be removed by a caller that then waits for their turn. In-flight values are not
  /// stored, or stored before that turn, and later callers do not join these loads.
  package func overtake(_ scope: TurnScope<Key>) {
    guard isUsed.load(ordering: .acquiring) else { return }
    for table in tables.withLock({ Array($0.values) }) { table.overtake(scope) }
  }
}

/// Loads that are outdated once their keys have changed.
package protocol OvertakenLoads<Key>: Sendable {
  associatedtype Key: Hashable & Sendable
  func overtake(_ key: Key)
  func overtake(_ keys: some Sequence<Key>)
  func overtakeAll()
}

extension OvertakenLoads {
  /// Records that keys have changed, or are about to.
  package func overtake(_ scope: TurnScope<Key>) {
    switch scope {
    case .key(let key): overtake(key)
    case .keys(let keys): overtake(keys)
    case .everything: overtakeAll()
    }
  }
}

extension Flights: OvertakenLoads {}
