extension Entry {
  /// Returns whether the value has not expired.
  @inlinable
  package func isLive(by clock: StorageClock) -> Bool { !expiry.isExpired(by: clock) }
}

extension Optional {
  /// Returns whether there is an entry, and its value has not expired.
  ///
  /// Cheaper than to bind the entry (`if let`) or to ask for its expiry (`entry?.expiry`): these copy it.
  @inlinable
  package func isLive<Value>(by clock: StorageClock) -> Bool where Wrapped == Entry<Value> {
    map { $0.isLive(by: clock) } ?? false
  }

  /// Returns the entry if its value has not expired.
  package consuming func live<Value>(by clock: StorageClock) -> Self where Wrapped == Entry<Value> {
    isLive(by: clock) ? self : nil
  }

  /// Returns the value of an entry, or `nil` if there is none or it has expired.
  @inlinable
  package consuming func liveObject<Value>(by clock: StorageClock) -> Value? where Wrapped == Entry<Value> {
    guard var entry = self, entry.isLive(by: clock) else { return nil }
    // Moved out: a copy would retain the value and release that of the entry.
    return entry.value.take()
  }
}
