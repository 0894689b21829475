public import Synchronization

/// The used part of a memory storage's limits. Room is reserved before an entry is inserted and released after it is
/// removed, so no limit is exceeded at any moment.
@usableFromInline
struct MemoryBudget: ~Copyable, Sendable {
  @usableFromInline let countLimit: Int
  @usableFromInline let costLimit: Int
  @usableFromInline let usedCount = Atomic(0)
  @usableFromInline let usedCost = Atomic(0)

  init(_ config: MemoryConfig) {
    countLimit = config.countLimit == 0 ? .max : Int(clamping: config.countLimit)
    costLimit = config.totalCostLimit == 0 ? .max : Int(clamping: config.totalCostLimit)
  }

  @inlinable
  var limitsCount: Bool { countLimit != .max }
  @inlinable
  var limitsCost: Bool { costLimit != .max }
  /// Whether the number of entries is at its limit now.
  @inlinable
  var isFull: Bool { limitsCount && usedCount.load(ordering: .relaxed) >= countLimit }

  /// Reserves room for a new entry. Returns `nil` on success, otherwise the limit that was reached.
  @inlinable
  func reserveEntry(cost: Int) -> MemoryRemovalReason? {
    if limitsCount, !Self.reserve(1, in: usedCount, limit: countLimit) { return .countLimit }
    if !reserve(cost: cost) {
      if limitsCount { usedCount.wrappingSubtract(1, ordering: .relaxed) }
      return .costLimit
    }
    return nil
  }

  /// Reserves the increase of an entry's cost; a negative increase releases room. Returns `false` if there is not
  /// enough.
  @inlinable
  func reserve(cost: Int) -> Bool {
    if !limitsCost || cost == 0 { return true }
    if cost > 0 { return Self.reserve(cost, in: usedCost, limit: costLimit) }
    usedCost.wrappingAdd(cost, ordering: .relaxed)
    return true
  }

  /// Releases the room of entries.
  @inlinable
  func release(count: Int, cost: Int) {
    if limitsCount { usedCount.wrappingSubtract(count, ordering: .relaxed) }
    if limitsCost { usedCost.wrappingSubtract(cost, ordering: .relaxed) }
  }

  @inlinable
  static func reserve(_ amount: Int, in used: borrowing Atomic<Int>, limit: Int) -> Bool {
    var seen = used.load(ordering: .relaxed)
    while true {
      guard amount <= limit - seen else { return false }
      let (done, now) = used.weakCompareExchange(
        expected: seen, desired: seen + amount, ordering: .relaxed)
      if done { return true }
      seen = now
    }
  }

  /// The reserved count and cost; zero where there is no limit.
  var inUse: (count: Int, cost: Int) {
    (usedCount.load(ordering: .relaxed), usedCost.load(ordering: .relaxed))
  }
}
