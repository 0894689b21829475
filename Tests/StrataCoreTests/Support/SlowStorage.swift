import StrataCore
import TestSupport

/// A store that is used asynchronously and can be stopped in the middle: writes and removals before they happen, reads
/// after they have happened and before they return.
final class SlowStorage<Key: Hashable & Sendable, Value: Sendable>: StorageAware {
  typealias Operation = DictionaryStorage<Key, Value>.Operation

  let base: DictionaryStorage<Key, Value>
  private let gates = Locked<[Operation: Gate]>([:])

  init(_ base: DictionaryStorage<Key, Value>) { self.base = base }

  var clock: StorageClock { base.clock }

  /// Stops the next calls of an operation.
  func stop(_ operation: Operation, calls: Int = 1) -> Gate {
    let gate = Gate(holding: calls)
    gates.withLock { $0[operation] = gate }
    return gate
  }

  /// Lets another task go first, so that tasks meet in as many ways as they can; then waits at the gate, if any.
  private func pause(_ operation: Operation) async {
    await Task.yield()
    await gates.withLock { $0[operation] }?.pass()
  }

  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    let result = Result { try base.entryIfPresent(forKey: key) }
    await pause(.read)
    return try result.get()
  }

  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    await pause(.write)
    try base.setObject(object, forKey: key, expiry: expiry)
  }

  func removeObject(forKey key: Key) async throws {
    await pause(.remove)
    try base.removeObject(forKey: key)
  }

  func removeAll() async throws {
    await pause(.removeAll)
    try base.removeAll()
  }

  func removeExpiredObjects() async throws { try base.removeExpiredObjects() }
  func keys() async throws -> [Key] { try base.keys() }
}
