package import StrataCore

/// A store that is used asynchronously and can be stopped in the middle: writes and removals before they happen, reads
/// after they have happened and before they return.
package final class SlowStorage<Base: SyncStorageAware>: StorageAware {
  package typealias Key = Base.Key
  package typealias Value = Base.Value
  package typealias Operation = DictionaryStorage<Key, Value>.Operation

  package let base: Base
  private let peeks: Bool
  private let gates = Locked<[Operation: Gate]>([:])

  /// - Parameter peeks: whether it shows what the base has at hand, past the gates.
  package init(_ base: Base, peeks: Bool = false) {
    self.base = base
    self.peeks = peeks
  }

  package var clock: StorageClock { base.clock }
  package var announcer: StorageAnnouncer<Key>? { base.announcer }

  /// Stops the next calls of an operation.
  package func stop(_ operation: Operation, calls: Int = 1) -> Gate {
    let gate = Gate(holding: calls)
    gates.withLock { $0[operation] = gate }
    return gate
  }

  /// Lets another task go first, so that tasks meet in as many ways as they can; then waits at the gate, if any.
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
