extension StorageAware {
  /// Returns the cached entry. Throws `WouldWait` if there is none, or if it has expired.
  @inlinable
  package func peeked(_ key: Key) throws -> Entry<Value> {
    guard let entry = peek(forKey: key), entry.isLive(by: clock) else { throw WouldWait() }
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
