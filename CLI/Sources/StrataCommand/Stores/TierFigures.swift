/// The figures of a tier at one moment.
struct TierFigures: Sendable {
  /// What a counter counts. It begins at any number, so that only differences have a meaning.
  enum Counter: Sendable {
    case operations, reads, hits, misses, writes, removals, evictions, expiries, failures
  }

  /// The counters that are known.
  var counters: [Counter: Int] = [:]
  var entries: Int?
  /// The size of the entries in bytes.
  var size: Int?
  /// The numbers of durations, counted like `counters`, by the upper limits of their classes in seconds.
  var times: [Double: Int] = [:]
  /// Whether `times` has only the durations since the last reading.
  var hasNewTimes = false
}

/// The changes of a tier's figures between two moments.
struct TierRates: Sendable {
  let figures: TierFigures
  private let before: TierFigures?
  private let seconds: Double

  /// - Parameters:
  ///   - before: The figures at the earlier moment, or `nil` if there is none: no rate is known.
  ///   - seconds: The time between the two.
  init(_ figures: TierFigures, since before: TierFigures?, seconds: Double) {
    self.figures = figures
    self.before = before
    self.seconds = seconds
  }

  /// Returns how often something happened in a second.
  func rate(_ counter: TierFigures.Counter) -> Double? {
    if counter == .reads, figures.counters[.reads] == nil {
      guard let hits = rate(.hits), let misses = rate(.misses) else { return nil }
      return hits + misses
    }
    return increase(of: counter).map { Double($0) / seconds }
  }

  /// The percentage of reads that were hits, or `nil` without any read.
  var hitPercentage: Double? {
    guard let hits = increase(of: .hits), let misses = increase(of: .misses), hits + misses > 0 else {
      return nil
    }
    return Double(hits) / Double(hits + misses) * 100
  }

  /// The growth of the number of entries in a second.
  var entriesRate: Double? { growth(\.entries) }

  /// The growth of the size in bytes in a second.
  var sizeRate: Double? { growth(\.size) }

  /// Returns the duration in seconds that a fraction of all new durations does not exceed, rounded up to the limit of
  /// its class; `nil` if there is no new duration, or the class has no limit.
  func quantile(_ part: Double) -> Double? {
    guard var old = figures.hasNewTimes ? [:] : before?.times else { return nil }
    // The program has started again.
    if old.contains(where: { $0.value > figures.times[$0.key, default: 0] }) { old = [:] }
    let new = figures.times.merging(old, uniquingKeysWith: -)
    let rank = max(1, Int((Double(new.values.reduce(0, +)) * part).rounded(.up)))
    var seen = 0
    for (limit, count) in new.sorted(by: { $0.key < $1.key }) {
      seen += count
      if seen >= rank { return limit.isFinite ? limit : nil }
    }
    return nil
  }

  /// Returns the increase of a counter. A counter that is smaller than before has begun again at zero.
  private func increase(of counter: TierFigures.Counter) -> Int? {
    guard let before = before?.counters[counter], let now = figures.counters[counter] else { return nil }
    return now < before ? now : now - before
  }

  private func growth(_ figure: KeyPath<TierFigures, Int?>) -> Double? {
    guard let before = before?[keyPath: figure], let now = figures[keyPath: figure] else { return nil }
    return Double(now - before) / seconds
  }
}
