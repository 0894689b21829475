extension Collection<Double> {
  /// The middle value, or the mean of the two middle values; NaN if there are none.
  public var median: Double {
    if isEmpty { return .nan }
    let sorted = self.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The mean; NaN if there are no values.
  public var mean: Double { reduce(0, +) / Double(count) }

  /// The standard error of the mean: the standard deviation divided by the square root of the count.
  public var standardError: Double {
    let mean = self.mean
    let squares = reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(count - 1) / Double(count)).squareRoot()
  }

  /// Returns the smallest value that is not below a share of all values; 0.5 is a median, 1 the maximum.
  public func percentile(_ share: Double) -> Double {
    let sorted = self.sorted()
    if sorted.isEmpty { return .nan }
    let rank = (share * Double(sorted.count)).rounded(.up)
    return sorted[Swift.min(Swift.max(Int(rank) - 1, 0), sorted.count - 1)]
  }
}
