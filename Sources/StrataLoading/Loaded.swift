/// What a loader answers.
public enum Loaded<Value: Sendable>: Sendable {
  /// A value to store and to return.
  ///
  /// `freshFor` and `staleFor` stand for those of the policy; `tags` are what it can be removed by; `validator` comes
  /// back with the next `LoadRequest`; `cost` is what it counts for in a memory tier that asks `Cached.cost`.
  case value(
    Value, freshFor: Duration? = nil, staleFor: Duration? = nil, tags: Set<Tag> = [],
    validator: Validator? = nil, cost: Int? = nil)
  /// The stale value of the request is as it was: it is fresh again, with the tags and the validator that it had.
  ///
  /// Where the request had no stale value this is an error of the loader, `StorageError.invalidAnswer`.
  case notModified(freshFor: Duration? = nil)
  /// There is no such value. What is stored is removed. It is remembered for the time given, or that of the policy.
  case absent(for: Duration? = nil)
  /// A value to return to those who wait, and not to store.
  case once(Value)
  /// The load failed. A stale value is returned, or else this one, which is not stored, or else the error is thrown.
  case failed(any Error, orElse: Value? = nil)
}

/// What a loader is told.
public struct LoadRequest<Key: Sendable, Value: Sendable>: Sendable {
  /// Why a value is loaded.
  public enum Reason: Sendable, Equatable {
    /// Nothing is stored.
    case absent
    /// The stored value is stale.
    case expired
    /// The stored value is about to become stale; no caller waits.
    case ahead
    /// `refresh(forKey:)` was called.
    case asked
  }

  /// The key of the value.
  public let key: Key
  /// The reason for the load.
  public let reason: Reason
  /// The stored value, if any.
  public let stale: Value?
  /// The validator of the stored value, with which the source can be asked whether it has changed.
  public let validator: Validator?
  /// The time at which the waiting callers give up; `nil` without waiting callers or without a timeout.
  public let deadline: ContinuousClock.Instant?
  /// The number of this attempt since the last success: 1 for the first.
  public let attempt: Int
}

/// A label by which values are removed together: "team/7".
public struct Tag: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The label.
  public let name: String
  /// Creates a tag.
  public init(_ name: String) { self.name = name }
  /// Creates a tag.
  public init(stringLiteral name: String) { self.init(name) }
  /// The label.
  public var description: String { name }
}

/// A source's mark of a version of a value: an entity tag, a date or a number, as text that only the loader interprets.
public struct Validator: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The mark.
  public let text: String
  /// Creates a validator.
  public init(_ text: String) { self.text = text }
  /// Creates a validator.
  public init(stringLiteral text: String) { self.init(text) }
  /// The mark.
  public var description: String { text }
}
