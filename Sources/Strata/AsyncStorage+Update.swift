public import StrataCore

extension AsyncStorage: UpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. `modify` runs while the key is
  /// taken: it may use other keys, but to write this one throws `.deadlock`.
  @discardableResult
  public func update(
    forKey key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value {
    try await run(.update(key, modify))
  }

  /// The same with a closure that is not sendable: it is called where the caller is, on its actor say, and not where
  /// the store may block.
  ///
  /// No key is taken while it runs. If somebody else changes the value meanwhile, it is called again, with the new
  /// value.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await updateInPlace(forKey: key, modify)
  }

  func updateInPlace(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    if case .async(let typed) = typed {
      return try await inTurn(of: key) { try await typed.readModifyWrite(forKey: key, modify) }
    }
    // The key itself is not kept meanwhile: to go on, this task needs a thread, and all could be blocked by callers
    // that wait for the key. Only tasks stand in this line, so that they do not make each other begin again.
    return try await chain.hub.updates.withTurn(.key(key)) {
      while true {
        let (seen, old) = try await run(.seen(key))
        var value = old
        do {
          try chain.hub.order.refusingWrites(of: key) { try modify(&value) }
        } catch {
          // What `modify` has changed elsewhere nobody else tells. Observers may block.
          if !chain.hub.observers.isEmpty {
            chain.hub.pool.submit { [chain] in chain.hub.deliver() }
          }
          throw error
        }
        if try await run(.replace(seen, with: value, key)) { return value }
      }
    }
  }
}
