import StrataCore

/// The result of a load, for all callers that share it.
indirect enum LoadResult<Value: Sendable>: Sendable {
  /// An entry, which is stored unless the key was changed during the load.
  case entry(Cached<Value>)
  /// A value that is not stored.
  case once(Value)
  /// No value, the error to throw if there is no stale value, and the loader's fallback to return instead.
  case failed(any Error, orElse: Value?)
}

/// The result of a read.
struct Found<Value: Sendable>: Sendable {
  /// The value; `nil` if there is none.
  let value: Value?
  /// The end of the value's freshness.
  let expiry: Expiry
}

/// The possible uses of a stored entry.
enum Freshness: Sendable {
  /// The entry may be returned.
  case fresh
  /// The entry may be returned, and must be refreshed in the background.
  case due
  /// The entry may only be returned in place of an error.
  case stale
  /// The entry must not be returned: it was removed by a tag.
  case gone
}

/// The error of a caller whose time limit has passed.
struct LoadTimeoutReached: Error {
  let kind: LoadTimeout
  let limit: Duration
  /// Whether the load counts as lost: it has ended for all callers.
  var isLost = false
}
