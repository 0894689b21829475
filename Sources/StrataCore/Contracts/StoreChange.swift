/// A change of one key: what to do, and the value that it stores, if it stores one.
///
/// ```swift
/// let isNew = try cache.change("ada", .setIfAbsent(User(name: "Ada"), .seconds(60)), [])
/// ```
///
/// A link passes a change on as it is, or with `map`. A store looks at `kind`, and takes the value from `object`.
public struct StoreChange<Value> {
  /// What to do.
  public let kind: StoreChangeKind
  /// The value to store. Apart from the kind, so that neither a look at the kind nor the use of the value copies it.
  @usableFromInline let value: Value?

  @inlinable
  init(_ kind: StoreChangeKind, _ value: Value?) {
    self.kind = kind
    self.value = value
  }

  /// Stores a value, replacing any value of the key. If the expiry is `nil`, the store's default applies.
  @inlinable
  public static func set(_ object: Value, _ expiry: Expiry?) -> Self { Self(.set(expiry), object) }
  /// Stores a changed value in place of a value that was read with this expiry.
  @inlinable
  public static func replace(_ object: Value, _ expiry: Expiry?) -> Self { Self(.replace(expiry), object) }
  /// Stores a value if there is none that has not expired.
  @inlinable
  public static func setIfAbsent(_ object: Value, _ expiry: Expiry?) -> Self {
    Self(.setIfAbsent(expiry), object)
  }
  /// Changes the expiry of a value that has not expired.
  @inlinable
  public static func touch(_ expiry: Expiry) -> Self { Self(.touch(expiry), nil) }
  /// Removes the entry, if there is one.
  @inlinable
  public static var remove: Self { Self(.remove, nil) }
  /// Removes the entry from the memory tier only.
  @inlinable
  public static var forget: Self { Self(.forget, nil) }

  /// The value to store. Only a change that stores one has it.
  @inlinable
  public var object: Value {
    // A `guard` would copy the value.
    // swift-format-ignore: NeverForceUnwrap
    value!
  }

  /// Whether the change stores a value.
  @inlinable
  public var hasObject: Bool { kind.hasObject }

  /// Returns this change with a transformed value.
  @inlinable
  public func map<Other, E: Error>(_ transform: (Value) throws(E) -> Other) throws(E) -> StoreChange<Other> {
    StoreChange<Other>(kind, hasObject ? try transform(object) : nil)
  }

  @inlinable
  package func asyncMap<Other>(
    _ transform: (Value) async throws -> Other
  ) async throws -> StoreChange<Other> {
    StoreChange<Other>(kind, hasObject ? try await transform(object) : nil)
  }

  /// Returns this change with an expiry as stores keep it.
  @inlinable
  package func resolved(by clock: StorageClock) -> StoreChange {
    StoreChange(kind.resolved(by: clock), value)
  }
}

extension StoreChange: Sendable where Value: Sendable {}

/// What a change of one key does.
///
/// ```swift
/// if case .set(let expiry) = StoreChange<Int>.set(1, .seconds(60)).kind { print(expiry ?? .never) }
/// ```
public enum StoreChangeKind: Sendable {
  /// Stores a value, replacing any value of the key. If the expiry is `nil`, the store's default applies.
  case set(Expiry?)
  /// Stores a changed value in place of a value that was read with this expiry. A store with several tiers keeps the
  /// expiry of each tier.
  case replace(Expiry?)
  /// Stores a value if there is none that has not expired.
  case setIfAbsent(Expiry?)
  /// Changes the expiry of a value that has not expired.
  case touch(Expiry)
  /// Removes the entry, if there is one.
  case remove
  /// Removes the entry from the memory tier only; other tiers keep it.
  case forget

  @inlinable
  package var hasObject: Bool {
    switch self {
    case .set, .replace, .setIfAbsent: true
    case .touch, .remove, .forget: false
    }
  }

  /// Whether the change puts a value in place of one that was read.
  @inlinable
  package var isReplacement: Bool { if case .replace = self { true } else { false } }

  /// Whether the change has a condition: that there is no value, or that there is one.
  @inlinable
  package var isConditional: Bool {
    switch self {
    case .setIfAbsent, .touch: true
    case .set, .replace, .remove, .forget: false
    }
  }

  /// Whether a store with several tiers makes the change in the same way in each. Otherwise the change has a condition,
  /// concerns one tier only, or has an expiry that depends on the tier or the time.
  @inlinable
  package var isSameInAllTiers: Bool {
    switch self {
    case .set(.seconds), .replace, .setIfAbsent, .touch, .forget: false
    case .set, .remove: true
    }
  }

  @inlinable
  package func resolved(by clock: StorageClock) -> StoreChangeKind {
    switch self {
    case .set(let expiry): .set(expiry?.resolved(by: clock))
    case .replace(let expiry): .replace(expiry?.resolved(by: clock))
    case .setIfAbsent(let expiry): .setIfAbsent(expiry?.resolved(by: clock))
    case .touch(let expiry): .touch(expiry.resolved(by: clock))
    case .remove, .forget: self
    }
  }
}
