/// A target with its measured value.
public struct Aim: Sendable, Codable {
  /// The target, with its bound.
  public let statement: String
  /// The measurement.
  public let measured: String
  /// Whether the target is met.
  public let isMet: Bool

  private init(_ statement: String, _ measured: String, isMet: Bool) {
    self.statement = statement
    self.measured = measured
    self.isMet = isMet
  }

  /// Creates a target for a ratio of at most `bound`.
  public static func atMost(_ bound: Double, _ ratio: Double, _ statement: String) -> Aim {
    Aim("\(statement): at most \(Cell.ratio(bound).shown)", Cell.ratio(ratio).shown, isMet: ratio <= bound)
  }

  /// Creates a target for a ratio of at least `bound`.
  public static func atLeast(_ bound: Double, _ ratio: Double, _ statement: String) -> Aim {
    Aim("\(statement): at least \(Cell.ratio(bound).shown)", Cell.ratio(ratio).shown, isMet: ratio >= bound)
  }

  /// Creates a target that is not a ratio.
  public static func holds(_ isMet: Bool, _ measured: String, _ statement: String) -> Aim {
    Aim(statement, measured, isMet: isMet)
  }
}
