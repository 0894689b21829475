import Foundation
package import StrataCore

/// A store in memory that fails on request.
package final class DictionaryStorage<Key: Hashable & Sendable, Value: Sendable>: SyncSimpleStorage {
  /// The operations of a store, for tests that count them or make them fail.
  package enum Operation: Hashable { case read, write, remove, removeAll, sweep, keys }

  private struct State {
    var entries: [Key: Entry<Value>] = [:]
    var failures: [Operation: any Error] = [:]
    var calls: [Operation: Int] = [:]
    var afterRead: (@Sendable () throws -> Void)?
    var beforeRemoval: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  private let expiry: Expiry
  package var traits: StoreTraits { StoreTraits(ownExpiry: expiry) }
  package let clock: StorageClock
  package let mayBlock = false
  private let yields: Bool
  private let peeks: Bool

  /// Creates a store. With `yields`, each operation lets other threads run first, to vary their interleaving. With
  /// `peeks`, all entries count as cached.
  package init(
    _ objects: [Key: Value] = [:], expiry: Expiry = .never, clock: StorageClock = .system,
    yields: Bool = false, peeks: Bool = false
  ) {
    self.expiry = expiry
    self.clock = clock
    self.yields = yields
    self.peeks = peeks
    state.withLock { $0.entries = objects.mapValues { Entry(object: $0) } }
  }

  /// Makes operations throw an error, until `work` is called.
  package func fail(_ operations: Operation..., with error: any Error = Failure.first) {
    state.withLock { state in for operation in operations { state.failures[operation] = error } }
  }

  /// Ends all failures.
  package func work() { state.withLock { $0.failures = [:] } }

  /// Returns how often an operation was called, including failed calls.
  package func calls(_ operation: Operation) -> Int { state.withLock { $0.calls[operation, default: 0] } }

  /// Runs an action once, after the next read has looked up its entry and before it returns it.
  package func afterNextRead(_ action: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.afterRead = action }
  }

  /// Runs an action once, before the next removal of a key.
  package func beforeNextRemoval(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.beforeRemoval = action }
  }

  /// The stored objects, even if operations are made to fail.
  package var objects: [Key: Value] { state.withLock { $0.entries.mapValues(\.object) } }

  private func perform<R: Sendable>(
    _ operation: Operation, _ body: (inout [Key: Entry<Value>]) -> R
  ) throws -> R {
    if yields { sched_yield() }
    return try state.withLock { state in
      state.calls[operation, default: 0] += 1
      if let failure = state.failures[operation] { throw failure }
      return body(&state.entries)
    }
  }

  package func peek(forKey key: Key) -> Entry<Value>? { peeks ? state.withLock { $0.entries[key] } : nil }

  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    let entry = try perform(.read) { $0[key] }
    let action = state.withLock { state in
      defer { state.afterRead = nil }
      return state.afterRead
    }
    try action?()
    return entry
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let entry = Entry(object: object, expiry: (expiry ?? self.expiry).resolved(by: clock))
    try perform(.write) { $0[key] = entry }
  }

  package func removeObject(forKey key: Key) throws {
    state.withLock { $0.beforeRemoval.take() }?()
    try perform(.remove) { _ = $0.removeValue(forKey: key) }
  }

  package func removeAll() throws { try perform(.removeAll) { $0 = [:] } }

  package func removeExpiredObjects() throws {
    try perform(.sweep) { [clock] in $0 = $0.filter { !$0.value.expiry.isExpired(by: clock) } }
  }

  package func keys() throws -> [Key] {
    try perform(.keys) { [clock] in $0.filter { !$0.value.expiry.isExpired(by: clock) }.map(\.key) }
  }
}
