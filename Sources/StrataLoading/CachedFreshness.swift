#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

/// The check whether an entry in memory can be returned without waiting: fresh, not removed by a tag, not to be
/// refreshed.
@usableFromInline
struct CachedFreshness: Sendable {
  let dates: StorageClock
  let generations: Generations

  func isGood(_ cached: Cached<some Sendable>, kept expiry: Expiry) -> Bool {
    isFresh(until: cached.due, kept: expiry, cached.generation) && hasValidTags(cached)
  }

  /// Whether an entry is fresh now: before `due`, and as long as the store below keeps it.
  @usableFromInline
  func isFresh(until due: Double, kept expiry: Expiry, _ generation: UInt64) -> Bool {
    var end = due
    if case .date(let date) = expiry { end = min(end, date.timeIntervalSinceReferenceDate) }
    if end < .infinity, dates.isPast(Date(timeIntervalSinceReferenceDate: end)) { return false }
    guard case .found(let required) = generations.requiredCached else { return false }
    return required == 0 || required == generation
  }

  @usableFromInline
  func hasValidTags(_ cached: Cached<some Sendable>) -> Bool {
    cached.details?.tags.allSatisfy { generations.cached($0.tag.name) == .found($0.generation) } ?? true
  }
}
