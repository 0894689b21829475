public import StrataCore

/// The check whether an entry in memory can be returned without waiting: fresh, not removed by a tag, not to be
/// refreshed.
///
/// A class, so that the closures which use it for each hit hold one reference and copy none.
@usableFromInline
final class CachedFreshness: Sendable {
  let dates: StorageClock
  let generations: Generations
  /// Whether the check uses no store: then an entry can be checked without copying it, while its memory is locked.
  @usableFromInline let isLocal: Bool

  @usableFromInline
  init(dates: StorageClock, generations: Generations) {
    self.dates = dates
    self.generations = generations
    isLocal = generations.isLocal
  }

  /// Returns the value of an entry that can be returned without waiting.
  @inlinable
  func object<Value: Sendable>(of cached: UnsafePointer<Cached<Value>>, kept expiry: Expiry) -> Value? {
    guard isFresh(until: cached.pointee.due, kept: expiry, cached.pointee.generation),
      cached.pointee.box == nil || hasValidTags(cached.pointee)
    else { return nil }
    return cached.pointee.value
  }

  func isGood(_ cached: Cached<some Sendable>, kept expiry: Expiry) -> Bool {
    isFresh(until: cached.due, kept: expiry, cached.generation) && hasValidTags(cached)
  }

  /// Returns whether an entry is fresh now: before `due`, and as long as the inner store keeps it.
  @usableFromInline
  func isFresh(until due: Double, kept expiry: Expiry, _ generation: UInt64) -> Bool {
    let end = min(due, expiry.secondsSinceReferenceDate)
    if end < .infinity, dates.isPast(secondsSinceReferenceDate: end) { return false }
    guard case .found(let required) = generations.requiredCached else { return false }
    return required == 0 || required == generation
  }

  @usableFromInline
  func hasValidTags(_ cached: Cached<some Sendable>) -> Bool {
    cached.details?.tags.allSatisfy { generations.cached($0.tag.name) == .found($0.generation) } ?? true
  }
}
