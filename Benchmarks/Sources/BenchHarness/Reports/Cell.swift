import Foundation

/// What stands in one place of a table.
public enum Cell: Sendable, Equatable {
  case text(String)
  /// A number with so many decimals, and a unit right behind it.
  case number(Double, decimals: Int, unit: String)
  /// Nothing was measured.
  case none

  /// A number of things.
  public static func count(_ count: Int) -> Cell { .number(Double(count), decimals: 0, unit: "") }
  /// A number with three digits or so, whatever its size.
  public static func measure(_ value: Double) -> Cell {
    .number(value, decimals: value < 10 ? 2 : value < 100 ? 1 : 0, unit: "")
  }
  /// How many times another.
  public static func ratio(_ value: Double) -> Cell {
    .number(value, decimals: value < 10 ? 2 : value < 100 ? 1 : 0, unit: "×")
  }
  /// A share as percent.
  public static func percent(_ share: Double) -> Cell { .number(share * 100, decimals: 2, unit: "") }

  /// How it is shown.
  public var shown: String {
    switch self {
    case .text(let text): text
    case .number(let value, let decimals, let unit):
      value.isFinite ? Self.digits(value, decimals) + unit : "–"
    case .none: "–"
    }
  }

  var isNumber: Bool { if case .text = self { false } else { true } }

  /// A number with its thousands apart.
  static func digits(_ value: Double, _ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", abs(value))
    let parts = text.split(separator: ".")
    var whole = ""
    for (index, digit) in parts[0].reversed().enumerated() {
      if index > 0 && index % 3 == 0 { whole.append(" ") }
      whole.append(digit)
    }
    let fraction = parts.count > 1 ? "." + parts[1] : ""
    let isZero = !text.contains { $0.isNumber && $0 != "0" }
    return (value < 0 && !isZero ? "−" : "") + String(whole.reversed()) + fraction
  }
}

extension Cell: Encodable {
  /// A number as a number, without its unit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let value, _, _) where value.isFinite: try container.encode(value)
    case .number, .none: try container.encodeNil()
    }
  }
}
