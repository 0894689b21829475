import StrataCore

/// What a load brought, for all that share it.
enum LoadResult<Value: Sendable>: Sendable {
  /// An entry, which is stored if nothing came in between.
  case entry(Cached<Value>)
  /// A value that is not stored.
  case once(Value)
  /// Nothing, and the error to throw where there is nothing stale.
  case failed(LoadFailure<Value>)
}

/// A load that failed.
struct LoadFailure<Value: Sendable>: Sendable {
  let error: any Error
  /// What the loader returned to be used where nothing is stale.
  let fallback: Value?
}

/// What a read found.
struct Found<Value: Sendable>: Sendable {
  /// The value; `nil` where there is none.
  let value: Value?
  /// When it stops being fresh.
  let expiry: Expiry
}

/// What an entry is good for.
enum Freshness: Sendable {
  /// To be returned.
  case fresh
  /// To be returned, and to be loaded anew in the background.
  case due
  /// Only to be returned in place of an error.
  case stale
  /// For nothing: it was removed by a tag.
  case gone
}

/// Thrown to a caller that has waited long enough.
struct LoadTimeoutReached: Error {
  let kind: LoadTimeout
  let limit: Duration
}
