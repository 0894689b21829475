import StrataCore

/// How values are loaded: one by one, or many by one call.
@usableFromInline
enum Loader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  case one(@Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>)
  case many(@Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>])

  /// Whether one call can load several keys.
  var isForMany: Bool { if case .many = self { true } else { false } }

  /// Loads some keys, one only if the loader is not for many; a key that is missing from the answer has no value.
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

/// A load that is to be made: its flight is open, and no task runs it yet.
struct PlannedLoad<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let key: Key
  let flight: FlightID
  let reason: LoadRequest<Key, Value>.Reason
  /// What is stored, if it can stand in for what is loaded.
  var seen: Cached<Value>?
  /// Whether something may have been stored since it was looked for.
  var looksAgain = false
}
