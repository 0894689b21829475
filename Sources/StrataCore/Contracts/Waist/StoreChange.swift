/// A change of one key.
public enum StoreChange<Value> {
  /// Stores a value, replacing any value of the key. If the expiry is `nil`, the store's default applies.
  case set(Value, Expiry?)
  /// Stores a changed value in place of a value that was read with this expiry. A store with several tiers keeps the
  /// expiry of each tier.
  case replace(Value, Expiry?)
  /// Stores a value if there is none that has not expired.
  case setIfAbsent(Value, Expiry?)
  /// Changes the expiry of a value that has not expired.
  case touch(Expiry)
  /// Removes the entry, if there is one.
  case remove
  /// Removes the entry from the memory tier only; other tiers keep it.
  case forget

  /// The value to store, if the change has one.
  @inlinable
  public var object: Value? {
    switch self {
    case .set(let object, _), .replace(let object, _), .setIfAbsent(let object, _): object
    case .touch, .remove, .forget: nil
    }
  }

  /// Whether the change puts a value in place of one that was read.
  @inlinable
  package var isReplacement: Bool { if case .replace = self { true } else { false } }

  /// Whether a store with several tiers makes the change in the same way in each. Otherwise the change has a condition,
  /// concerns one tier only, or has an expiry that depends on the tier or the time.
  @inlinable
  package var isSameInAllTiers: Bool {
    switch self {
    case .set(_, .seconds), .replace, .setIfAbsent, .touch, .forget: false
    case .set, .remove: true
    }
  }

  /// Whether the change has a condition: that there is no value, or that there is one.
  @inlinable
  package var isConditional: Bool {
    switch self {
    case .setIfAbsent, .touch: true
    case .set, .replace, .remove, .forget: false
    }
  }

  /// Returns this change with a transformed value.
  @inlinable
  public func map<Other, E: Error>(_ transform: (Value) throws(E) -> Other) throws(E) -> StoreChange<Other> {
    switch self {
    case .set(let value, let expiry): .set(try transform(value), expiry)
    case .replace(let value, let expiry): .replace(try transform(value), expiry)
    case .setIfAbsent(let value, let expiry): .setIfAbsent(try transform(value), expiry)
    case .touch(let expiry): .touch(expiry)
    case .remove: .remove
    case .forget: .forget
    }
  }

  @inlinable
  package func asyncMap<Other>(
    _ transform: (Value) async throws -> Other
  ) async throws -> StoreChange<Other> {
    switch self {
    case .set(let value, let expiry): .set(try await transform(value), expiry)
    case .replace(let value, let expiry): .replace(try await transform(value), expiry)
    case .setIfAbsent(let value, let expiry): .setIfAbsent(try await transform(value), expiry)
    case .touch(let expiry): .touch(expiry)
    case .remove: .remove
    case .forget: .forget
    }
  }

  /// Returns this change with an expiry as stores keep it.
  @inlinable
  package func resolved(by clock: StorageClock) -> StoreChange {
    switch self {
    case .set(let value, let expiry): .set(value, expiry?.resolved(by: clock))
    case .replace(let value, let expiry): .replace(value, expiry?.resolved(by: clock))
    case .setIfAbsent(let value, let expiry): .setIfAbsent(value, expiry?.resolved(by: clock))
    case .touch(let expiry): .touch(expiry.resolved(by: clock))
    case .remove: .remove
    case .forget: .forget
    }
  }
}

extension StoreChange: Sendable where Value: Sendable {}
