#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Whether the tiers of a chain answer.
///
/// ```swift
/// let health = await users.health()
/// if !health.isAvailable { print(health) }   // "redis: not available since …: connection refused"
/// ```
public struct StorageHealth: Sendable {
  /// The health of one tier.
  public struct Tier: Sendable {
    /// The name of the tier, for example "redis".
    public let name: String
    /// How long the check took, whether the tier answered or not.
    public let latency: Duration
    /// The error of the check; `nil` if the tier answered.
    public let error: (any Error)?
    /// The time of the first failure after the last operation that succeeded; `nil` if the tier answered.
    public let since: Date?

    /// Whether the tier answered.
    public var isAvailable: Bool { error == nil }
  }

  /// The tiers, nearest to the user first.
  public let tiers: [Tier]

  /// Whether all tiers answered.
  public var isAvailable: Bool { tiers.allSatisfy(\.isAvailable) }
}

extension StorageDesign {
  /// Asks each tier of this chain for one key, all at the same time, and returns which of them answer. A store without
  /// tiers is asked itself.
  ///
  /// A tier that has not answered within the limit counts as unavailable; its call is cancelled. A tier that cannot be
  /// listed is not asked: it is unavailable if its last operation failed. Never throws, and waits no longer than the
  /// limit.
  ///
  /// ```swift
  /// let health = await users.health(within: .seconds(1))
  /// for tier in health.tiers { print(tier.name, tier.isAvailable, tier.latency) }
  /// ```
  public func health(within limit: Duration = .seconds(2)) async -> StorageHealth {
    let own = StorageTier(store: self, reporter: TierReporter<Never>(tierName, timing: .none))
    let checks = (tiers.isEmpty ? [own] : tiers).map { tier in Task { await tier.check(within: limit) } }
    var found: [StorageHealth.Tier] = []
    for check in checks { found.append(await check.value) }
    return StorageHealth(tiers: found)
  }
}

extension StorageTier {
  fileprivate func check(within limit: Duration) async -> StorageHealth.Tier {
    let start = ContinuousClock.now
    var failure: (any Error)?
    do { try await answered(within: limit) } catch { failure = error }
    if failure == nil { reporter.counts.answered() } else { reporter.counts.failed() }
    return StorageHealth.Tier(
      name: reporter.name, latency: start.duration(to: .now), error: failure,
      since: failure.map { _ in reporter.counts.failingSince ?? Date() })
  }

  /// Returns when the store has answered; throws its error, or `.backendFailed` after the limit.
  private func answered(within limit: Duration) async throws {
    guard let store = store as? any StorageAware else {
      if reporter.counts.failingSince == nil { return }
      throw StorageError.backendFailed.with("the last operation failed", place: reporter.name)
    }
    let late = StorageError.backendFailed.with(
      "no answer within \(limit.text): is it reachable?", place: reporter.name)
    try await withTimeLimit(limit, on: ContinuousClock(), throwing: late) { try await ask(store) }
  }

  private func ask(_ store: some StorageAware) async throws {
    if let sync = store as? any SyncStorageAware, sync.mayBlock {
      try await BlockingPool(width: 1).run { try askBlocking(sync) }
    } else {
      _ = try await store.list(after: nil, limit: 1)
    }
  }

  private func askBlocking(_ store: some SyncStorageAware) throws { _ = try store.list(after: nil, limit: 1) }
}

extension StorageHealth: CustomStringConvertible {
  /// A line for each tier.
  public var description: String { tiers.map(\.description).joined(separator: "\n") }
}

extension StorageHealth.Tier: CustomStringConvertible {
  /// The tier in a line: "redis: answers in 0.31 ms". It contains the text of an error, which may be confidential.
  public var description: String {
    guard let error, let since else { return "\(name): answers in \(latency.text)" }
    return "\(name): not available since \(since.formatted(.iso8601)): \(error)"
  }
}
