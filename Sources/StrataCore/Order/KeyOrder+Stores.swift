extension KeyOrder {
  /// Creates the order of operations that use certain stores in their turns.
  package convenience init(over stores: [any StorageAware]) {
    self.init(
      tasksMayWait: stores.contains { mayWait($0) },
      tasksSuspend: stores.contains { maySuspend($0) },
      threadsMayWait: stores.allSatisfy { $0 is any SyncStorageAware })
  }
}

extension KeyOrder {
  /// Runs an operation on a key as its caller asks: in the turn that the caller has, or at once, or in a turn of its
  /// own. At once, throws `WouldWait` if the key is taken or waited for.
  ///
  /// Inlinable, like all functions on the way of a change without `await`: otherwise no store of the chain would be
  /// specialised, and a write to memory and disk would take three times as many instructions.
  @inlinable
  @inline(__always)
  func withTurn<R>(of key: Key, _ how: How, _ body: () throws -> R) throws -> R {
    if how.isDisjoint(with: [.atOnce, .inTurn]) { return try withTurn(.key(key), body) }
    return try how.contains(.inTurn) ? body() : atOnce(key, body)
  }

  /// Runs an operation as the function above does. One at once always throws: it may suspend.
  @inlinable
  func withTurn<R>(of key: Key, _ how: How, _ body: () async throws -> R) async throws -> R {
    if how.contains(.inTurn) { return try await body() }
    if how.contains(.atOnce) { throw WouldWait() }
    return try await withTurn(.key(key), body)
  }
}

/// Returns whether an operation of a store with `await` may suspend. Otherwise it runs on the caller's thread, which it
/// may block.
package func maySuspend(_ store: any StorageDesign) -> Bool {
  store.traits.suspends
    ?? (!(store is any SyncStorageAware) || store.wrappedStorages.contains(where: maySuspend))
}

/// Returns whether an operation of a store may have to wait, by blocking or by suspending.
package func mayWait(_ store: any StorageAware) -> Bool {
  store.mayBlock || !(store is any SyncStorageAware)
}
