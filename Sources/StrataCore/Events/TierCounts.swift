#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
public import Synchronization

/// The counters of one tier, and since when it has failed.
@usableFromInline
package final class TierCounts: Sendable {
  /// Counters that many threads increase at once: each thread has one.
  @usableFromInline
  struct Part: ~Copyable, Sendable {
    @usableFromInline let hits = Atomic(0)
    @usableFromInline let misses = Atomic(0)
    @usableFromInline let writes = Atomic(0)
    @usableFromInline let removals = Atomic(0)
    @usableFromInline let promotions = Atomic(0)
  }

  @usableFromInline let parts = PaddedBuffer<Part>(count: 8) { Part() }
  private let rare: Locked<TierStatistics>
  private let failing = Locked<Date?>(nil)
  @usableFromInline let isFailing = Atomic(false)
  @usableFromInline let operations = Atomic(0)

  init(name: String) { rare = Locked(TierStatistics(name: name)) }

  @inlinable
  @inline(__always)
  var part: UnsafeMutablePointer<Part> { parts[stackNumber] }

  /// Whether the operation that begins is one in 64 that is measured. Of operations that begin at one
  /// moment, some are not counted.
  @inlinable
  var isSample: Bool {
    let number = operations.load(ordering: .relaxed)
    operations.store(number &+ 1, ordering: .relaxed)
    return number & 63 == 0
  }

  @usableFromInline
  func hit() { part.pointee.hits.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a read that has succeeded. Returns its duration if it was measured.
  @inlinable
  @inline(__always)
  func didRead(hits: Int, misses: Int, _ start: Stopwatch) -> Duration? {
    let part = part
    if hits > 0 { part.pointee.hits.wrappingAdd(hits, ordering: .relaxed) }
    if misses > 0 { part.pointee.misses.wrappingAdd(misses, ordering: .relaxed) }
    return !start.isRunning && !isFailing.load(ordering: .relaxed) ? nil : succeeded(start, isRead: true)
  }

  /// Counts a change that has succeeded. Returns its duration if it was measured.
  @inlinable
  @inline(__always)
  func didChange(_ effect: TierEffect, _ count: Int, _ start: Stopwatch) -> Duration? {
    switch effect {
    case .write: part.pointee.writes.wrappingAdd(count, ordering: .relaxed)
    case .promotion: part.pointee.promotions.wrappingAdd(count, ordering: .relaxed)
    default: self.count(effect, count)
    }
    return !start.isRunning && !isFailing.load(ordering: .relaxed) ? nil : succeeded(start, isRead: false)
  }

  /// Counts what happened to the tier. The removal of all entries counts as one.
  @usableFromInline
  func count(_ effect: TierEffect, _ count: Int) {
    switch effect {
    case .hit: part.pointee.hits.wrappingAdd(count, ordering: .relaxed)
    case .miss: part.pointee.misses.wrappingAdd(count, ordering: .relaxed)
    case .write: part.pointee.writes.wrappingAdd(count, ordering: .relaxed)
    case .removal: part.pointee.removals.wrappingAdd(max(count, 1), ordering: .relaxed)
    case .promotion: part.pointee.promotions.wrappingAdd(count, ordering: .relaxed)
    case .eviction: rare.withLock { $0.evictions += count }
    case .expiry: rare.withLock { $0.expiries += count }
    case .nothing: break
    }
  }

  /// Counts a failure, damage or a reconnection.
  func count(_ kind: StorageEventKind) {
    rare.withLock { statistics in
      switch kind {
      case .failure: statistics.failures += 1
      case .damage: statistics.damages += 1
      case .reconnection: statistics.reconnections += 1
      default: break
      }
    }
  }

  /// Notes that an operation has succeeded. Returns its duration if it was measured.
  @usableFromInline
  func succeeded(_ start: Stopwatch, isRead: Bool) -> Duration? {
    answered()
    guard let duration = start.duration else { return nil }
    rare.withLock { statistics in
      if isRead { statistics.readTimes.add(duration) } else { statistics.writeTimes.add(duration) }
    }
    return duration
  }

  private func recovered() {
    failing.withLock { failing in
      failing = nil
      isFailing.store(false, ordering: .relaxed)
    }
  }

  /// Notes that the tier has answered.
  func answered() { if isFailing.load(ordering: .relaxed) { recovered() } }

  /// Notes that an operation has failed.
  func failed() {
    failing.withLock { failing in
      failing = failing ?? Date()
      isFailing.store(true, ordering: .relaxed)
    }
  }

  /// The time of the first failure since the last success; `nil` if the last operation succeeded.
  package var failingSince: Date? { failing.withLock { $0 } }

  /// The counters of the tier, with those that its store keeps.
  package func statistics(of store: any StorageDesign) -> TierStatistics {
    var statistics = rare.withLock { $0 }
    for number in 0..<parts.count {
      statistics.hits += parts[number].pointee.hits.load(ordering: .relaxed)
      statistics.misses += parts[number].pointee.misses.load(ordering: .relaxed)
      statistics.writes += parts[number].pointee.writes.load(ordering: .relaxed)
      statistics.promotions += parts[number].pointee.promotions.load(ordering: .relaxed)
      statistics.removals += parts[number].pointee.removals.load(ordering: .relaxed)
    }
    (store as? any CountingTier)?.count(into: &statistics)
    return statistics
  }
}
