/// Something that was to be reached, and what was measured of it.
public struct Aim: Sendable, Encodable {
  /// What is aimed at, with its bound.
  public let statement: String
  /// What was measured.
  public let measured: String
  /// Whether it is reached.
  public let isMet: Bool

  private init(_ statement: String, _ measured: String, isMet: Bool) {
    self.statement = statement
    self.measured = measured
    self.isMet = isMet
  }

  /// A ratio that is to be so large at most.
  public static func atMost(_ bound: Double, _ ratio: Double, _ statement: String) -> Aim {
    Aim("\(statement): at most \(Cell.ratio(bound).shown)", Cell.ratio(ratio).shown, isMet: ratio <= bound)
  }

  /// A ratio that is to be so large at least.
  public static func atLeast(_ bound: Double, _ ratio: Double, _ statement: String) -> Aim {
    Aim("\(statement): at least \(Cell.ratio(bound).shown)", Cell.ratio(ratio).shown, isMet: ratio >= bound)
  }

  /// Something that is not a ratio.
  public static func holds(_ isMet: Bool, _ measured: String, _ statement: String) -> Aim {
    Aim(statement, measured, isMet: isMet)
  }
}
