#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A value as a loading store keeps it: with the time until which it is fresh, or the knowledge that there is none.
///
/// The store below keeps it for longer than it is fresh, by `LoadPolicy.staleFor`, so that it can stand in for a load
/// that fails. Where values are bytes, it is written as a header of 25 bytes before the value's own; see
/// `CachedHeader`.
public struct Cached<Value: Sendable>: Sendable {
  /// The value; `nil` if it is known that there is none.
  public let value: Value?
  /// Seconds since the reference date: from then on a read must look closer, since the value is to be refreshed or is
  /// not fresh any more.
  @usableFromInline var due: Double
  /// When it stops being fresh, in seconds since the reference date.
  private(set) var end: Double
  /// When the load began, in seconds since the reference date.
  let began: Double
  /// How long the load took, in seconds.
  let loadTime: Float
  /// What the store's generation was when the load began; see `Generations`.
  @usableFromInline let generation: UInt64
  /// The tags, the validator and the cost. Few values have any, so they are stored apart: an entry is copied faster.
  @usableFromInline let box: Box?

  /// The tags, the validator and the cost; `nil` if there are none.
  var details: Details? { box?.details }

  @usableFromInline
  final class Box: Sendable {
    let details: Details
    init(_ details: Details) { self.details = details }
  }

  /// The tags, the validator and the cost.
  struct Details: Sendable, Equatable {
    var tags: [TagMark] = []
    var validator: Validator?
    var cost: Int?

    var isEmpty: Bool { tags.isEmpty && validator == nil && cost == nil }
  }

  init(
    _ value: Value?, end: Double, began: Double, loadTime: Float = 0, generation: UInt64 = 0,
    details: Details? = nil
  ) {
    self.value = value
    self.end = end
    self.began = began
    self.loadTime = loadTime
    self.generation = generation
    box = details.map(Box.init)
    due = end
  }

  /// Makes an entry by hand, for a store that a loading store is to read later: fresh until a date, or for as long as
  /// it is stored.
  public init(_ value: Value, freshUntil: Date? = nil) {
    self.init(value, end: freshUntil?.timeIntervalSinceReferenceDate ?? .infinity, began: 0)
  }

  /// When the value stops being fresh; `nil`: it is fresh for as long as it is stored.
  public var freshUntil: Date? { end == .infinity ? nil : Date(timeIntervalSinceReferenceDate: end) }
  /// What the loader said it counts for in a memory tier.
  public var cost: Int? { details?.cost }
  /// What it can be removed by.
  public var tags: Set<Tag> { Set(details?.tags.map(\.tag) ?? []) }
  /// What the source marked this version with.
  public var validator: Validator? { details?.validator }

  /// The same entry as a store has it: without an end of its own, it ends with the store's.
  @usableFromInline
  func ending(_ expiry: Expiry) -> Cached {
    guard end == .infinity, case .date(let date) = expiry else { return self }
    var cached = self
    cached.end = date.timeIntervalSinceReferenceDate
    cached.due = min(due, cached.end)
    return cached
  }

  /// The same entry with the generations of its tags.
  func tagged(_ marks: [TagMark]) -> Cached {
    var details = details ?? Details()
    details.tags = marks
    var cached = Cached(
      value, end: end, began: began, loadTime: loadTime, generation: generation, details: details)
    cached.due = due
    return cached
  }

  /// The same entry, of which a read looks closer from the time that a policy says.
  func due(by policy: LoadPolicy) -> Cached {
    var cached = self
    cached.due = min(policy.refreshTime(of: self), policy.end(of: self))
    return cached
  }
}

/// A tag with the generation that it had when the load began.
struct TagMark: Sendable, Equatable {
  let tag: Tag
  let generation: UInt64
}
