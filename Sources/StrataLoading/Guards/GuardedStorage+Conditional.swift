public import StrataCore

extension GuardedStorage: ConditionalStorage where Base: ConditionalStorage {
  /// Stores a value if the key has none, or only an expired one. Returns whether it was stored.
  ///
  /// Under `retry`, an attempt whose reply was lost may have stored the value: the next one then returns `false`.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await guardian.run { [base] in try await base.setIfAbsent(object, forKey: key, expiry: expiry) }
  }

  /// Changes the expiry of a stored value. Returns `false` if the value is absent or has expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await guardian.run { [base] in try await base.touch(forKey: key, expiry: expiry) }
  }
}
