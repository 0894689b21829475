extension StorageAware {
  /// Returns whether there is an entry that has not expired.
  @inlinable
  package func isLive(_ entry: Entry<Value>?) -> Bool { entry.map(isLive) ?? false }

  /// Returns whether an entry has not expired. A function of its own, since the compiler copies an optional entry.
  @inlinable
  package func isLive(_ entry: Entry<Value>) -> Bool { !entry.expiry.isExpired(by: clock) }

  /// Returns the cached entry. Throws `WouldWait` if there is none, or if it has expired.
  @inlinable
  package func peeked(_ key: Key) throws -> Entry<Value> {
    guard let entry = peek(forKey: key), isLive(entry) else { throw WouldWait() }
    return entry
  }
}

extension SimpleStorage {
  /// Whether an operation at once has to be refused.
  @inlinable
  package var waits: Bool { true }
}

extension SyncSimpleStorage {
  @inlinable
  package var waits: Bool { mayBlock }
}
