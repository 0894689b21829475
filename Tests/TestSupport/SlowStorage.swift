package import StrataCore

/// A store that is used asynchronously and can be stopped in the middle: writes and removals before they happen, reads
/// after they have happened and before they return.
package final class SlowStorage<Key: Hashable & Sendable, Value: Sendable>: StorageAware {
  package typealias Operation = DictionaryStorage<Key, Value>.Operation

  package let base: DictionaryStorage<Key, Value>
  private let gates = Locked<[Operation: Gate]>([:])

  package init(_ base: DictionaryStorage<Key, Value>) { self.base = base }

  package var clock: StorageClock { base.clock }

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

  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    let result = Result { try base.entryIfPresent(forKey: key) }
    await pause(.read)
    return try result.get()
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    await pause(.write)
    try base.setObject(object, forKey: key, expiry: expiry)
  }

  package func removeObject(forKey key: Key) async throws {
    await pause(.remove)
    try base.removeObject(forKey: key)
  }

  package func removeAll() async throws {
    await pause(.removeAll)
    try base.removeAll()
  }

  package func removeExpiredObjects() async throws { try base.removeExpiredObjects() }
  package func keys() async throws -> [Key] { try base.keys() }
}
