extension ConditionalStorage where Self: UpdateableStorage, Value: FixedWidthInteger {
  /// Atomically adds to the number of a key and returns the sum. An absent number counts as 0.
  ///
  /// The expiry does not change; a new number gets the store's default. If the sum does not fit into `Value`, throws
  /// `.overflow` and changes nothing.
  ///
  /// ```swift
  /// let visits = try await counters.increment(forKey: "visits")
  /// ```
  @discardableResult
  public func increment(forKey key: Key, by amount: Value = 1) async throws -> Value {
    while true {
      do {
        return try await update(forKey: key) { try add(amount, to: &$0, key) }
      } catch StorageError.notFound {}
      // If another writer has stored a number meanwhile, add to that number.
      if try await setIfAbsent(amount, forKey: key, expiry: nil) { return amount }
    }
  }
}

extension SyncConditionalStorage where Self: SyncUpdateableStorage, Value: FixedWidthInteger {
  /// Atomically adds to the number of a key and returns the sum. An absent number counts as 0.
  ///
  /// The expiry does not change; a new number gets the store's default. If the sum does not fit into `Value`, throws
  /// `.overflow` and changes nothing.
  @discardableResult
  public func increment(forKey key: Key, by amount: Value = 1) throws -> Value {
    while true {
      do {
        return try update(forKey: key) { try add(amount, to: &$0, key) }
      } catch StorageError.notFound {}
      // If another writer has stored a number meanwhile, add to that number.
      if try setIfAbsent(amount, forKey: key, expiry: nil) { return amount }
    }
  }
}

private func add<Value: FixedWidthInteger>(_ amount: Value, to number: inout Value, _ key: any Sendable)
  throws
{
  let (sum, overflows) = number.addingReportingOverflow(amount)
  if overflows { throw StorageError.overflow.with(key: key) }
  number = sum
}
