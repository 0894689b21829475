public import StrataAlgebra

/// Keeps values that are removed from a cache while a lock is held, and releases them after the lock. Their
/// deinitializers are user code, which may use the store.
@usableFromInline
package final class LeavingValues<Value: Sendable>: Sendable {
  @usableFromInline
  struct State: Sendable {
    @usableFromInline var holders = 0
    /// Usually there is one value, which needs no allocation.
    @usableFromInline var first: Value?
    @usableFromInline var others: [Value] = []

    init() {}
  }

  @usableFromInline let state = Locked(State())

  @usableFromInline
  package init() {}

  /// Keeps a value if a lock is held.
  @inlinable
  package func add(_ value: Value) {
    state.withLock { state in
      if state.holders == 0 { return }
      if state.first == nil { state.first = value } else { state.others.append(value) }
    }
  }

  /// Runs `body`, which takes a lock, and then releases the values that were removed meanwhile.
  @inlinable
  func keeping<R>(_ body: () throws -> R) rethrows -> R {
    state.withLock { $0.holders += 1 }
    defer { withExtendedLifetime(release()) {} }
    return try body()
  }

  @inlinable
  func release() -> (Value?, [Value]) {
    state.withLock { state in
      state.holders -= 1
      defer { state.first = nil }
      if state.others.isEmpty { return (state.first, []) }
      defer { state.others = [] }
      return (state.first, state.others)
    }
  }
}
