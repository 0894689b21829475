#if Server
  import Metrics
  import StrataCore

  /// The metrics of one tier.
  struct TierMetrics: Sendable {
    private let counters: [(counter: Counter, value: any KeyPath<TierStatistics, Int> & Sendable)]
    private let meters: [(meter: Meter, value: any KeyPath<TierStatistics, Int?> & Sendable)]
    private var last: TierStatistics?

    init(of tier: String, in store: String, _ factory: any MetricsFactory) {
      let dimensions = [("store", store), ("tier", tier)]
      func counter(_ name: String, _ more: [(String, String)] = []) -> Counter {
        Counter(label: "strata.tier.\(name)", dimensions: dimensions + more, factory: factory)
      }
      counters = [
        (counter("reads", [("found", "hit")]), \.hits), (counter("reads", [("found", "miss")]), \.misses),
        (counter("writes"), \.writes), (counter("promotions"), \.promotions),
        (counter("removals", [("reason", "removed")]), \.removals),
        (counter("removals", [("reason", "evicted")]), \.evictions),
        (counter("removals", [("reason", "expired")]), \.expiries), (counter("failures"), \.failures),
        (counter("damage"), \.damages), (counter("reconnections"), \.reconnections),
      ]
      meters = [("entries", \.count), ("size", \.size)].map { name, value in
        (Meter(label: "strata.tier.\(name)", dimensions: dimensions, factory: factory), value)
      }
    }

    mutating func update(_ now: TierStatistics) {
      for (counter, value) in counters {
        let change = now[keyPath: value] - (last?[keyPath: value] ?? 0)
        if change > 0 { counter.increment(by: change) }
      }
      for (meter, value) in meters { if let value = now[keyPath: value] { meter.set(value) } }
      last = now
    }
  }
#endif
