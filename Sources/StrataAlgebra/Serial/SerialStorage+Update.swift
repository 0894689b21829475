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

  /// Updates a value with a closure that runs in the caller's isolation: in its turn, unless callers without `await`
  /// that wait for this turn could block the threads that the caller's actor needs.
  @usableFromInline
  func updateForCaller(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    guard line.hasBlockingCallers, hasIsolation() else { return try await updateInTurn(forKey: key, modify) }
    return try await updates.run { try await updateBetweenTurns(forKey: key, modify) }
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
          return try await line.counted {
            try await base.replaceObject(value, forKey: key, expiry: storedExpiry(entry, forKey: key))
            return value
          }
        }
      },
      blocking: { try updateBlocking(forKey: key, modify) })
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
