package import StrataCore

extension SerialStorage {
  /// Updates a value with a closure that may suspend. Until the closure has ended, the operations on all keys wait.
  ///
  /// A closure that runs on an actor needs the actor's thread to continue. Meanwhile, other functions of the actor must
  /// not call the store without `await`.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) async throws -> Void) async throws -> Value {
    try await line.changeIsolated {
      try await base.readModifyWrite(
        forKey: key, expiry: { try await storedExpiry($0, forKey: key) }
      ) { value in
        try await OngoingOperation.run { try await modify(&value) }
      }
    }
  }

  /// Updates a value as an operation of the inner store, in the turn; `nil` if the store has none that is atomic for
  /// other writers than the callers of this one.
  @usableFromInline
  func updateInBase(_ key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value? {
    try await updating?.update(forKey: key) { value in try line.holding { try modify(&value) } }
  }

  @usableFromInline
  func updateInBase(_ key: Key, _ modify: (inout Value) throws -> Void) throws -> Value? {
    try syncUpdating?.update(forKey: key, modify)
  }

  /// Updates a value with a closure that runs in the caller's isolation: in its turn, unless callers without `await`
  /// that wait for this turn could block the threads that the caller's actor needs.
  @usableFromInline
  func updateForCaller(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    guard line.hasBlockingCallers, hasIsolation() else { return try await updateInTurn(forKey: key, modify) }
    return try await updates.run {
      // Whether another process has changed a value shows only by comparing it.
      if updating != nil, !(Value.self is any Equatable.Type) {
        return try updateBlocking(forKey: key, modify)
      }
      return try await updateBetweenTurns(forKey: key, modify)
    }
  }

  private func updateBetweenTurns(
    forKey key: Key, _ modify: (inout Value) throws -> Void
  ) async throws -> Value {
    try await StrataCore.updateBetweenTurns(
      read: {
        let (entry, changes) = try await line.run {
          (try await base.entryToChange(forKey: key), line.changeCount)
        }
        return ((entry, changes), entry.object)
      },
      { value in try line.holding { try modify(&value) } },
      replace: { seen, value in
        let (entry, changes) = seen
        return try await line.run {
          guard line.changeCount == changes else { return nil }
          return try await line.counted { try await replace(entry, with: value, forKey: key) }
        }
      },
      blocking: { try updateBlocking(forKey: key, modify) })
  }

  /// Stores the changed value of an entry that this process has not changed since it was read. Returns `nil` if another
  /// one has.
  private func replace(_ entry: Entry<Value>, with value: Value, forKey key: Key) async throws -> Value? {
    guard let updating else {
      try await base.replaceObject(value, forKey: key, expiry: storedExpiry(entry, forKey: key))
      return value
    }
    do {
      return try await updating.update(forKey: key) { current in
        guard areEqual(current, entry.object) else { throw Differs() }
        current = value
      }
    } catch is Differs {
      return nil
    }
  }

  private func updateBlocking(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    guard let store = self as? any SyncUpdateableStorage<Key, Value> else {
      preconditionFailure("only a store that is used without `await` has callers that block")
    }
    return try store.update(forKey: key, modify)
  }
}

/// Whether the caller is isolated to an actor.
private func hasIsolation(_ isolation: isolated (any Actor)? = #isolation) -> Bool { isolation != nil }

/// Thrown to end an update whose value is another one than was read.
private struct Differs: Error {}

private func areEqual<Value>(_ one: Value, _ other: Value) -> Bool {
  func isEqual<E: Equatable>(_ one: E) -> Bool { one == other as? E }
  guard let one = one as? any Equatable else { return false }
  return isEqual(one)
}
