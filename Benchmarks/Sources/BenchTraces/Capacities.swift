public import BenchHarness

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lists of cache sizes to try.
public enum Capacities {
  /// Parses a list such as `1%,5%,1000`, of sizes and of shares of `whole`. Every size is at least 1.
  public static func parse(_ text: String, whole: Int) throws(UsageError) -> [Int] {
    var capacities: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if part.hasSuffix("%"), let percent = Double(part.dropLast()), percent > 0, percent <= 100 {
        capacities.append(max(1, Int((Double(whole) * percent / 100).rounded())))
      } else if let count = Int(part), count > 0 {
        capacities.append(count)
      } else {
        throw UsageError("\"\(part)\" is not a size: give a number of entries, or a share up to 100%")
      }
    }
    return capacities
  }

  /// Returns sizes from `smallest` to the whole, with a constant factor between neighbours.
  public static func spread(_ count: Int, from smallest: Int, to whole: Int) -> [Int] {
    guard whole > smallest, count > 1 else { return [max(whole, 1)] }
    let factor = pow(Double(whole) / Double(smallest), 1 / Double(count - 1))
    var capacities: [Int] = []
    for step in 0..<count {
      let capacity = min(Int((Double(smallest) * pow(factor, Double(step))).rounded()), whole)
      if capacity > (capacities.last ?? 0) { capacities.append(capacity) }
    }
    capacities[capacities.count - 1] = whole
    return capacities
  }
}
