/// Values that leave a cache while a lock is held, until it is not: the end of a value is a user's code, which may use the store.
package final class LeavingValues<Value: Sendable>: Sendable {
  private let state = Locked((holders: 0, values: [Value]()))

  package init() {}

  /// Keeps a value if somebody holds a lock.
  package func add(_ value: Value) {
    state.withLock { if $0.holders > 0 { $0.values.append(value) } }
  }

  /// Runs `body`, which takes a lock, and then lets go of what has left meanwhile.
  func keeping<R>(_ body: () throws -> R) rethrows -> R {
    state.withLock { $0.holders += 1 }
    defer {
      let values = state.withLock { state in
        state.holders -= 1
        defer { state.values = [] }
        return state.values
      }
      withExtendedLifetime(values) {}
    }
    return try body()
  }
}
