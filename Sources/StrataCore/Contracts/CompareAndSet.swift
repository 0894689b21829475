extension UpdateableStorage where Value: Equatable {
  /// Stores a value if the one that is stored equals `expected`, as one operation. Returns whether it was stored.
  ///
  /// The expiry stays. Where nothing is stored, or what has expired, nothing is done; for that there is `setIfAbsent`.
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
  /// Stores a value if the one that is stored equals `expected`, as one operation. Returns whether it was stored.
  ///
  /// The expiry stays. Where nothing is stored, or what has expired, nothing is done; for that there is `setIfAbsent`.
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

/// Ends an update that has found another value than was expected.
private struct ValuesDiffer: Error {}

private func replace<Value: Equatable>(_ value: inout Value, _ expected: Value, _ new: Value) throws {
  guard value == expected else { throw ValuesDiffer() }
  value = new
}
