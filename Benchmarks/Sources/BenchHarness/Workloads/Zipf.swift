#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ranks drawn by Zipf's law: rank `k`, from 0, is drawn in proportion to `1 / (k + 1)^exponent`.
///
/// Exact, without a table, and O(1) per draw, by rejection-inversion (W. Hörmann and G. Derflinger, 1996): draws under
/// a smooth hat function with an invertible integral, rounds, and rejects the small excess of the hat.
public struct Zipf: Sendable {
  private let count: Double
  private let exponent: Double
  private let lowest: Double
  private let highest: Double
  private let shortcut: Double

  /// Creates a distribution over `count` ranks; the exponent must be above 0.
  public init(count: Int, exponent: Double) {
    precondition(count > 0 && exponent > 0, "Zipf's law needs a rank and an exponent above 0")
    self.count = Double(count)
    self.exponent = exponent
    lowest = Self.integral(1.5, exponent) - 1
    highest = Self.integral(self.count + 0.5, exponent)
    shortcut = 2 - Self.inverse(Self.integral(2.5, exponent) - pow(2, -exponent), exponent)
  }

  /// Draws a rank.
  public func rank(_ generator: inout SplitMix64) -> Int {
    while true {
      let height = highest + generator.unit() * (lowest - highest)
      let draw = Self.inverse(height, exponent)
      let rank = min(max(draw.rounded(), 1), count)
      if rank - draw <= shortcut || height >= Self.integral(rank + 0.5, exponent) - pow(rank, -exponent) {
        return Int(rank) - 1
      }
    }
  }

  /// Returns the integral of `x^-exponent`, up to a constant that makes it continuous in the exponent.
  private static func integral(_ x: Double, _ exponent: Double) -> Double {
    let logarithm = log(x)
    let scaled = (1 - exponent) * logarithm
    return abs(scaled) < 1e-8 ? logarithm * (1 + scaled / 2) : expm1(scaled) / (1 - exponent)
  }

  private static func inverse(_ y: Double, _ exponent: Double) -> Double {
    let scaled = max(y * (1 - exponent), -1)
    return exp(abs(scaled) < 1e-8 ? y * (1 - scaled / 2) : log1p(scaled) / (1 - exponent))
  }
}
