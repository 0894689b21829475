extension ConditionalStorage where Self: UpdateableStorage, Value: FixedWidthInteger {
  /// Adds to the number stored under a key, as one operation, and returns the sum. An absent key counts as 0.
  ///
  /// The expiry stays; a new number gets the store's own. Throws `.overflow`, and changes nothing, if the sum is no
  /// `Value`.
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
      // If somebody else stores a number meanwhile, it is that one that grows.
      if try await setIfAbsent(amount, forKey: key, expiry: nil) { return amount }
    }
  }
}

extension SyncConditionalStorage where Self: SyncUpdateableStorage, Value: FixedWidthInteger {
  /// Adds to the number stored under a key, as one operation, and returns the sum. An absent key counts as 0.
  ///
  /// The expiry stays; a new number gets the store's own. Throws `.overflow`, and changes nothing, if the sum is no
  /// `Value`.
  @discardableResult
  public func increment(forKey key: Key, by amount: Value = 1) throws -> Value {
    while true {
      do {
        return try update(forKey: key) { try add(amount, to: &$0, key) }
      } catch StorageError.notFound {}
      // If somebody else stores a number meanwhile, it is that one that grows.
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
