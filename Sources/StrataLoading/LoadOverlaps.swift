import StrataCore

/// The keys whose loads end while a call of a loader of many keys runs.
///
/// Such a call may return values of keys that were not requested. They must not replace what a load has stored that
/// ended during the call: the call may have read them before.
final class LoadOverlaps<Key: Hashable & Sendable>: Sendable {
  private let calls = Locked<[FlightID: Set<Key>]>([:])

  /// Records that a call begins. `end` must follow.
  func begin(_ call: FlightID) { calls.withLock { $0[call] = [] } }

  /// Records that a call has ended.
  func end(_ call: FlightID) { calls.withLock { $0[call] = nil } }

  /// Records that a call stores or removes the value of a key.
  func store(_ key: Key, by call: FlightID) {
    calls.withLock { calls in
      for other in Array(calls.keys) where other != call { calls[other]?.insert(key) }
    }
  }

  /// Returns whether another call has stored or removed the value of a key since a call began.
  func contains(_ key: Key, since call: FlightID) -> Bool {
    calls.withLock { $0[call]?.contains(key) ?? false }
  }
}
