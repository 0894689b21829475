public import StrataCore

extension AsyncStorage: UpdateableStorage {
  /// Reads, changes and stores a value as one operation; returns the new value. Its expiry does not change.
  ///
  /// Throws `.notFound` if the value is absent. If `modify` throws, the value stays as it is. `modify` runs in the
  /// key's turn: it may use other keys, but a write of this key throws `.deadlock`.
  ///
  /// If the last tier is an `UpdateableStorage`, it makes the change: no change of another process or machine is lost,
  /// whatever memory holds. If the value changes meanwhile, `modify` runs again with the new value.
  @inlinable
  @discardableResult
  public func update(
    forKey key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value {
    if let value = try updateIfFree(key, modify) { return value }
    return try await updateInTurn(key, modify)
  }

  /// Updates a value at once, in a chain that never blocks, if no other operation has the key's turn. Returns `nil`
  /// otherwise.
  @inlinable
  func updateIfFree(_ key: Key, _ modify: (inout Value) throws -> Void) throws -> Value? {
    try inPlace(key) { try $0.update(forKey: key, modify) }
  }

  @usableFromInline
  func updateInTurn(
    _ key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value { try await run(.update(key, modify)) }

  /// Reads, changes and stores a value as one operation, with a closure that is not `Sendable`. The closure runs in the
  /// caller's isolation, and not on a thread that may block.
  ///
  /// Other operations on the key may run meanwhile. If they change the value, the closure runs again with the new
  /// value, and after eight times in the key's turn, for which the thread waits. Over memory alone nothing runs
  /// meanwhile if the key is free, so the closure runs once.
  ///
  /// A closure in the call itself counts as `Sendable`. A closure that changes variables needs a declared type:
  ///
  /// ```swift
  /// var oldName = ""
  /// let rename: (inout User) throws -> Void = { user in
  ///   oldName = user.name
  ///   user.name = "Ada"
  /// }
  /// try await users.async.update(forKey: "ada", rename)
  /// ```
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await updateInCaller(key, modify)
  }

  @inlinable
  func updateInCaller(_ key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    // The turn of a free key may be held while `modify` runs here, since the task does not suspend meanwhile.
    if let value = try updateIfFree(key, modify) { return value }
    return try await updateBetweenTurns(key, modify)
  }

  @usableFromInline
  func updateBetweenTurns(_ key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    if case .async(let typed) = typed {
      return try await inTurn(of: key) { try await typed.update(forKey: key, modify) }
    }
    // The key's turn is not held while `modify` runs: this task needs a thread to continue, and callers that wait for
    // the key could block all threads. This separate queue of tasks prevents them from restarting each other.
    let updates = chain.coordinator.updates
    let mark = updates.mark(of: key)
    return try await updates.withTurn(.key(key)) {
      // The caller has just tried this. After a wait for other updates the key may be free.
      if !updates.hasMerelyBegun(key, since: mark), let value = try updateIfFree(key, modify) { return value }
      return try await StrataCore.updateBetweenTurns(
        read: { try await run(.seen(key)) },
        { value in try callingUser(key) { try modify(&value) } },
        replace: { seen, value in
          try await run(.replace(seen, with: value, key)) ? value : updateIfFree(key, modify)
        },
        blocking: { try updateBlocking(key, modify) })
    }
  }

  /// Calls a closure of the user, which must not write the key. If it throws, delivers the changes that it has made to
  /// other keys, on a thread that may block: observers may.
  private func callingUser(_ key: Key, _ body: () throws -> Void) throws {
    do {
      try chain.coordinator.order.refusingWrites(of: key, body)
    } catch {
      if !chain.coordinator.observers.isEmpty {
        chain.coordinator.pool.submit { [chain] in chain.coordinator.deliver() }
      }
      throw error
    }
  }

  private func updateBlocking(_ key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    guard let ordered else {
      preconditionFailure("only a chain that is used without `await` has callers that block")
    }
    return try ordered.update(forKey: key, modify)
  }
}
