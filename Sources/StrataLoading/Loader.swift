import StrataCore

/// The caller's load function: for one key, or for many keys at once.
@usableFromInline
enum Loader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  case one(@Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>)
  case many(@Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>])

  /// Whether one call can load several keys.
  var isForMany: Bool { if case .many = self { true } else { false } }

  /// Loads keys; a loader of one key gets one. A key that is missing from the answer has no value.
  func callAsFunction(_ requests: [LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>] {
    switch self {
    case .one(let load):
      var loaded: [Key: Loaded<Value>] = [:]
      for request in requests { loaded[request.key] = try await load(request) }
      return loaded
    case .many(let load): return try await load(requests)
    }
  }
}

/// A planned load: callers can join it, and no task runs it yet.
struct PlannedLoad<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let key: Key
  let flight: FlightID
  let reason: LoadRequest<Key, Value>.Reason
  /// The stored entry, if it can be the fallback.
  var seen: Cached<Value>?
  /// Whether a value may have been stored since the last read.
  var looksAgain = false
  /// Whether the last read of the store failed. Another process may have stored a value, so the loaded value is stored
  /// only if there is none.
  var isUnread = false
  /// Whether the store may have an entry other than `seen` that is to be replaced or removed: a load that is asked for
  /// replaces a remembered absence, and an entry that could not be read.
  var replacesUnseen = false
}
