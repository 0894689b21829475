public import StrataCore

/// What the entries of a memory storage use up of its limits: reserved before an entry goes in, so that no limit is
/// exceeded at any moment.
@usableFromInline
struct MemoryBudget: ~Copyable, Sendable {
  @usableFromInline
  struct Amount: Sendable {
    @usableFromInline var count = 0
    @usableFromInline var cost = 0

    @inlinable
    init(count: Int = 0, cost: Int = 0) {
      self.count = count
      self.cost = cost
    }
  }

  @usableFromInline let limit: Amount
  @usableFromInline let used = Locked(Amount())

  init(_ config: MemoryConfig) {
    limit = Amount(
      count: config.countLimit == 0 ? .max : Int(clamping: config.countLimit),
      cost: config.totalCostLimit == 0 ? .max : Int(clamping: config.totalCostLimit))
  }

  @inlinable
  var isLimited: Bool { limit.count != .max || limit.cost != .max }

  /// Takes an amount, if there is as much left. A negative amount is given back.
  @inlinable
  func reserve(_ amount: Amount) -> Bool {
    used.withLock { used in
      let count = used.count + amount.count
      let (cost, overflow) = used.cost.addingReportingOverflow(amount.cost)
      let grows = amount.count > 0 || amount.cost > 0
      if grows && (count > limit.count || overflow || cost > limit.cost) { return false }
      used = Amount(count: count, cost: cost)
      return true
    }
  }

  @inlinable
  func release(_ amount: Amount) {
    used.withLock { used in
      used.count -= amount.count
      used.cost -= amount.cost
    }
  }

  var inUse: Amount { used.withLock { $0 } }
}
