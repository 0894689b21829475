package import StrataCore

/// An asynchronous store that can be stopped during an operation: a write or removal before it takes effect, a read
/// between its lookup and its return.
package final class SlowStorage<Base: SyncStorageAware>: SimpleStorage {
  package typealias Key = Base.Key
  package typealias Value = Base.Value
  package typealias Operation = DictionaryStorage<Key, Value>.Operation

  package let base: Base
  private let peeks: Bool
  private let gates = Locked<[Operation: Gate]>([:])

  /// - Parameter peeks: whether the base's cached entries are available without waiting, past the gates.
  package init(_ base: Base, peeks: Bool = false) {
    self.base = base
    self.peeks = peeks
  }

  package var clock: StorageClock { base.clock }
  package var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  /// Stops the next calls of an operation at a gate.
  package func stop(_ operation: Operation, calls: Int = 1) -> Gate {
    let gate = Gate(holding: calls)
    gates.withLock { $0[operation] = gate }
    return gate
  }

  /// Lets other tasks run first, to vary their interleaving; then waits at the gate, if there is one.
  private func pause(_ operation: Operation) async {
    await Task.yield()
    await gates.withLock { $0[operation] }?.pass()
  }

  package func peek(forKey key: Key) -> Entry<Value>? { peeks ? base.peek(forKey: key) : nil }

  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    let result = Result { try base.entryIfPresent(forKey: key) }
    await pause(.read)
    return try result.get()
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    await pause(.write)
    try blocking { try base.setObject(object, forKey: key, expiry: expiry) }
  }

  package func removeObject(forKey key: Key) async throws {
    await pause(.remove)
    try blocking { try base.removeObject(forKey: key) }
  }

  package func removeAll() async throws {
    await pause(.removeAll)
    try blocking { try base.removeAll() }
  }

  package func removeExpiredObjects() async throws { try blocking { try base.removeExpiredObjects() } }
  package func keys() async throws -> [Key] { try blocking { try base.keys() } }
}
