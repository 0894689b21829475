#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An axis of a chart: its title, its range, and its mapping of values to positions.
public struct Axis: Sendable {
  /// The measured quantity, with its unit.
  public let title: String
  /// Whether the scale is logarithmic.
  public let isLogarithmic: Bool
  /// The range shown; `nil` for the range of the chart's data.
  public let range: ClosedRange<Double>?

  /// Creates an axis.
  public init(_ title: String, isLogarithmic: Bool = false, range: ClosedRange<Double>? = nil) {
    self.title = title
    self.isLogarithmic = isLogarithmic
    self.range = range
  }

  /// Returns the axis with a range that contains all values.
  func fitting(_ values: [Double]) -> Axis {
    if range != nil { return self }
    let usable = isLogarithmic ? values.filter { $0 > 0 } : values
    guard let low = usable.min(), let high = usable.max() else {
      return Axis(title, isLogarithmic: isLogarithmic, range: 1...10)
    }
    if isLogarithmic {
      return Axis(title, isLogarithmic: true, range: low...max(high, low * 2))
    }
    // The axis begins at zero, so that twice the height means twice the value.
    let (bottom, top) = (min(low, 0), max(high, 0))
    guard top > bottom else { return Axis(title, range: 0...1) }
    let step = Self.step(for: top - bottom)
    return Axis(
      title, range: ((bottom / step).rounded(.down) * step)...((top / step).rounded(.up) * step))
  }

  /// Returns the position of a value: 0 at the beginning of the axis, 1 at its end.
  func place(_ value: Double) -> Double {
    let range = range ?? 0...1
    if isLogarithmic {
      let low = log(range.lowerBound)
      return (log(max(value, range.lowerBound)) - low) / (log(range.upperBound) - low)
    }
    return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  /// The values with a grid line and a label.
  var ticks: [Double] {
    let range = range ?? 0...1
    if !isLogarithmic {
      let step = Self.step(for: range.upperBound - range.lowerBound)
      return Array(stride(from: range.lowerBound, through: range.upperBound + step * 1e-6, by: step))
    }
    let decades = log10(range.upperBound / range.lowerBound)
    let factors: [Double] = decades > 4 ? [1] : decades > 1.5 ? [1, 2, 5] : [1, 2, 3, 5, 7]
    let exponents = Int(log10(range.lowerBound).rounded(.down))...Int(log10(range.upperBound).rounded(.up))
    return exponents.flatMap { exponent in factors.map { $0 * pow(10, Double(exponent)) } }
      .filter { $0 >= range.lowerBound * 0.999 && $0 <= range.upperBound * 1.001 }
  }

  /// Returns a round step that divides a length into four to eight parts.
  private static func step(for length: Double) -> Double {
    let rough = length / 8
    let power = pow(10, log10(rough).rounded(.down))
    let factor = [1.0, 2, 2.5, 5].first { $0 * power >= rough } ?? 10
    return factor * power
  }

  /// Returns a value as a label: 20 000 as "20 k".
  public static func label(_ value: Double) -> String {
    let units: [(Double, String)] = [(1e9, " G"), (1e6, " M"), (1e3, " k"), (1, "")]
    let (unit, suffix) = units.first { abs(value) >= $0.0 * 0.9999 } ?? (1, "")
    let text = formatted(value / unit, "%.3g")
    return text + suffix
  }
}
