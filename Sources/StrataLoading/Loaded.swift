/// A loader's answer.
///
/// ```swift
/// let pages = storage.loading { request -> Loaded<User> in
///   guard let user = try await directory.find(request.key) else { return .absent(for: .seconds(30)) }
///   return .value(user, freshFor: .seconds(300), tags: ["users"])
/// }
/// ```
public enum Loaded<Value: Sendable>: Sendable {
  /// A value to store and to return.
  ///
  /// `freshFor` and `staleFor` replace the policy's times. The value can be removed by its `tags`. The next
  /// `LoadRequest` carries the `validator`. `cost` is for memory tiers that use `Cached.cost`.
  case value(
    Value, freshFor: Duration? = nil, staleFor: Duration? = nil, tags: Set<Tag> = [],
    validator: Validator? = nil, cost: Int? = nil)
  /// The stale value of the request has not changed: it is fresh again, with its tags and its validator.
  ///
  /// Without a stale value in the request this is the error `StorageError.invalidAnswer`.
  case notModified(freshFor: Duration? = nil)
  /// The source has no value. The stored one is removed, and the absence is remembered for the given time, or the
  /// policy's.
  case absent(for: Duration? = nil)
  /// A value to return to the waiting callers, and not to store.
  case once(Value)
  /// The load failed. Callers get a stale value, or else `orElse`, which is not stored, or else the error.
  case failed(any Error, orElse: Value? = nil)
}

extension Loaded {
  /// Returns a value to store and to return, with tags that are strings.
  ///
  /// ```swift
  /// let teams = ["red", "blue"]
  /// let users = storage.loading { request in .value(User(name: request.key), tags: teams) }
  /// try await users.remove(tagged: teams[0])
  /// ```
  @_disfavoredOverload
  public static func value(
    _ value: Value, freshFor: Duration? = nil, staleFor: Duration? = nil, tags: some Sequence<String>,
    validator: Validator? = nil, cost: Int? = nil
  ) -> Self {
    .value(
      value, freshFor: freshFor, staleFor: staleFor, tags: Set(tags.map { Tag($0) }), validator: validator,
      cost: cost)
  }
}

/// The request to a loader.
///
/// ```swift
/// let users = storage.loading { request in
///   // Every other attempt after a failure uses the second source.
///   .value(try await directory.user(request.key, useMirror: request.attempt.isMultiple(of: 2)))
/// }
/// ```
public struct LoadRequest<Key: Sendable, Value: Sendable>: Sendable {
  /// The reason for a load.
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
  /// The validator of the stored value, which a conditional request to the source can use.
  public let validator: Validator?
  /// The time at which the waiting callers give up; `nil` without waiting callers or without a timeout.
  public let deadline: ContinuousClock.Instant?
  /// The number of this attempt since the last success: 1 for the first.
  public let attempt: Int
}

/// A label by which values are removed together: "team/7".
///
/// ```swift
/// let users = storage.loading { request in .value(User(name: request.key), tags: ["team/7"]) }
/// try await users.remove(tagged: "team/7")
/// ```
///
/// `"team/\(id)"` is a tag too. `Tag(name)` makes one of a `String`.
public struct Tag: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
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
///
/// ```swift
/// let users = storage.loading { request -> Loaded<User> in
///   let answer = try await directory.user(request.key, unless: request.validator?.text)
///   guard let user = answer.user else { return .notModified() }
///   return .value(user, validator: Validator(answer.version))
/// }
/// ```
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
