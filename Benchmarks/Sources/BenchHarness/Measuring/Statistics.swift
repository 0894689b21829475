extension Collection<Double> {
  /// The middle value, or the mean of the two in the middle; not a number where there is none.
  public var median: Double {
    if isEmpty { return .nan }
    let sorted = self.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The sum by the count; not a number where there is none.
  public var mean: Double { reduce(0, +) / Double(count) }

  /// How far the mean may be off: the standard deviation of the values by the root of their count.
  public var standardError: Double {
    let mean = self.mean
    let squares = reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(count - 1) / Double(count)).squareRoot()
  }

  /// The smallest value that is not below a share of all; 0.5 is a median, 1 the maximum.
  public func percentile(_ share: Double) -> Double {
    let sorted = self.sorted()
    if sorted.isEmpty { return .nan }
    let rank = (share * Double(sorted.count)).rounded(.up)
    return sorted[Swift.min(Swift.max(Int(rank) - 1, 0), sorted.count - 1)]
  }
}
