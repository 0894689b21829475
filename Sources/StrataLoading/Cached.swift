#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A value with the metadata of a loading store: the end of its freshness, tags and validator; or a remembered absence.
///
/// ```swift
/// let profiles = MemoryStorage<String, Cached<User>>(
///   config: MemoryConfig(totalCostLimit: 1_000_000), cost: { _, cached in cached.cost ?? 1 }
/// ).loading { request in .value(User(name: request.key), cost: 100) }
/// ```
///
/// The inner store keeps it for `LoadPolicy.staleFor` beyond its freshness, so that it can be returned when a load
/// fails. In a store of bytes the metadata is a header of 25 bytes before the value: see `CachedHeader`.
public struct Cached<Value: Sendable>: Sendable {
  /// The value; `nil` for a remembered absence.
  public let value: Value?
  /// The time from which a read must check whether the value is stale or due for a refresh, in seconds since the
  /// reference date.
  @usableFromInline var due: Double
  /// The end of the value's freshness, in seconds since the reference date.
  private(set) var end: Double
  /// When the load began, in seconds since the reference date.
  let began: Double
  /// How long the load took, in seconds.
  let loadTime: Float
  /// The generation of the store when the load began; see `Generations`.
  @usableFromInline let generation: UInt64
  /// The tags, the validator and the cost. Few values have any, so they are stored apart: an entry is copied faster.
  @usableFromInline let box: CachedDetailsBox?

  /// The tags, the validator and the cost; `nil` if there are none.
  var details: CachedDetails? { box?.details }

  init(
    _ value: Value?, end: Double, began: Double, loadTime: Float = 0, generation: UInt64 = 0,
    details: CachedDetails? = nil
  ) {
    self.value = value
    self.end = end
    self.began = began
    self.loadTime = loadTime
    self.generation = generation
    box = details.map(CachedDetailsBox.init)
    due = end
  }

  /// Creates an entry for a store that a loading store reads later: fresh until a date, or for as long as it is stored.
  public init(_ value: Value, freshUntil: Date? = nil) {
    self.init(value, end: freshUntil?.timeIntervalSinceReferenceDate ?? .infinity, began: 0)
  }

  /// The end of the value's freshness; `nil` if it is fresh for as long as it is stored.
  public var freshUntil: Date? { end == .infinity ? nil : Date(timeIntervalSinceReferenceDate: end) }
  /// The cost of the value in a memory tier, as stated by the loader.
  public var cost: Int? { details?.cost }
  /// The tags by which the value can be removed.
  public var tags: Set<Tag> { Set(details?.tags.map(\.tag) ?? []) }
  /// The source's validator of this version.
  public var validator: Validator? { details?.validator }

  /// Returns the entry as stored: without an end of its own, its freshness ends with the store's expiry.
  @usableFromInline
  func ending(_ expiry: Expiry) -> Cached {
    let keptUntil = expiry.secondsSinceReferenceDate
    guard end == .infinity, keptUntil < .infinity else { return self }
    var cached = self
    cached.end = keptUntil
    cached.due = min(due, cached.end)
    return cached
  }

  /// Returns the entry with the generations of its tags.
  func tagged(_ marks: [TagMark]) -> Cached {
    var details = details ?? CachedDetails()
    details.tags = marks
    var cached = Cached(
      value, end: end, began: began, loadTime: loadTime, generation: generation, details: details)
    cached.due = due
    return cached
  }

  /// Returns the entry with the time from which a read must check it, according to a policy.
  func due(by policy: LoadPolicy) -> Cached {
    var cached = self
    cached.due = min(policy.refreshTime(of: self), policy.end(of: self))
    return cached
  }
}

/// The tags, the validator and the cost of a cached value.
struct CachedDetails: Sendable, Equatable {
  var tags: [TagMark] = []
  var validator: Validator?
  var cost: Int?

  var isEmpty: Bool { tags.isEmpty && validator == nil && cost == nil }
}

@usableFromInline
final class CachedDetailsBox: Sendable {
  let details: CachedDetails
  init(_ details: CachedDetails) { self.details = details }
}

/// A tag and its generation when the load began.
struct TagMark: Sendable, Equatable {
  let tag: Tag
  let generation: UInt64

  /// Whether the tag may have been removed during the load. No generation is 0, so the value never counts as valid.
  var isRefused: Bool { generation == 0 }
}
