extension UpdateableStorage where Value: Equatable {
  /// Stores a value if the current value equals `expected`, as one atomic operation. Returns whether the value was
  /// stored.
  ///
  /// The expiry does not change. If the key has no value, or an expired one, returns `false`; use `setIfAbsent` for
  /// that case.
  ///
  /// ```swift
  /// let isMine = try await owners.compareAndSet("me", ifEqual: "nobody", forKey: "door")
  /// ```
  public func compareAndSet(_ object: Value, ifEqual expected: Value, forKey key: Key) async throws -> Bool {
    do {
      try await update(forKey: key) { try replace(&$0, expected, object) }
      return true
    } catch is ValuesDiffer {
      return false
    } catch StorageError.notFound {
      return false
    }
  }
}

extension SyncUpdateableStorage where Value: Equatable {
  /// Stores a value if the current value equals `expected`, as one atomic operation. Returns whether the value was
  /// stored.
  ///
  /// The expiry does not change. If the key has no value, or an expired one, returns `false`; use `setIfAbsent` for
  /// that case.
  public func compareAndSet(_ object: Value, ifEqual expected: Value, forKey key: Key) throws -> Bool {
    do {
      try update(forKey: key) { try replace(&$0, expected, object) }
      return true
    } catch is ValuesDiffer {
      return false
    } catch StorageError.notFound {
      return false
    }
  }
}

/// Thrown to end an update whose current value is not the expected one.
private struct ValuesDiffer: Error {}

private func replace<Value: Equatable>(_ value: inout Value, _ expected: Value, _ new: Value) throws {
  guard value == expected else { throw ValuesDiffer() }
  value = new
}
