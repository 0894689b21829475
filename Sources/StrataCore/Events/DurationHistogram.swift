/// A histogram of durations in 64 classes, each √2 times as wide as the previous one, from a microsecond to more than
/// half an hour.
///
/// ```swift
/// if let slow = users.statistics["disk"]?.readTimes.quantile(0.99) { print("99 of 100 reads take at most \(slow)") }
/// ```
public struct DurationHistogram: Sendable, Equatable {
  /// The number of durations in each class.
  public var counts: [Int] { classes.isEmpty ? [Int](repeating: 0, count: 64) : classes }
  /// `counts`, or empty before the first duration.
  private var classes: [Int] = []
  /// The number of durations.
  public private(set) var count = 0
  /// The sum of the durations.
  public private(set) var total: Duration = .zero

  /// Creates an empty histogram.
  public init() {}

  /// Counts a duration.
  public mutating func add(_ duration: Duration) {
    if classes.isEmpty { classes = counts }
    classes[Self.index(of: duration)] += 1
    count += 1
    total += duration
  }

  /// Returns the upper limit of a class. The last class has none.
  public static func limit(of index: Int) -> Duration {
    var limit = Duration.microseconds(1)
    for _ in 0..<(index / 2) { limit *= 2 }
    return index.isMultiple(of: 2) ? limit : limit * 1.4142135623730951
  }

  /// Returns the first class whose limit is not below a duration.
  private static func index(of duration: Duration) -> Int {
    var (low, high) = (0, 63)
    while low < high {
      let middle = (low + high) / 2
      if duration <= limits[middle] { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static let limits = (0..<64).map(limit(of:))

  /// Returns the duration that a fraction of all durations, from 0 to 1, does not exceed, rounded up to the limit of
  /// its class; `nil` for an empty histogram.
  public func quantile(_ part: Double) -> Duration? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((min(max(part, 0), 1) * Double(count)).rounded(.up)))
    var seen = 0
    for (index, number) in counts.enumerated() {
      seen += number
      if seen >= rank { return Self.limit(of: index) }
    }
    return nil
  }
}

extension Duration {
  /// The time for a reader: "2.5 s" or "0.017 ms".
  package var text: String {
    let (unit, name): (Duration, String) = self >= .seconds(1) ? (.seconds(1), "s") : (.milliseconds(1), "ms")
    return "\((self / unit * 1000).rounded() / 1000) \(name)"
  }
}
