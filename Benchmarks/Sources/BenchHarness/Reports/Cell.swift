/// A cell of a table.
public enum Cell: Sendable, Equatable {
  case text(String)
  /// A number with the given decimals, and a unit after it.
  case number(Double, decimals: Int, unit: String)
  /// No measurement.
  case none

  /// Returns a cell with a count.
  public static func count(_ count: Int) -> Cell { .number(Double(count), decimals: 0, unit: "") }
  /// Returns a cell with a number of about three digits.
  public static func measure(_ value: Double) -> Cell {
    .number(value, decimals: decimals(of: value), unit: "")
  }
  /// Returns a cell with a ratio.
  public static func ratio(_ value: Double) -> Cell {
    .number(value, decimals: decimals(of: value), unit: "×")
  }
  /// Returns a cell with a share as a percentage.
  public static func percent(_ share: Double) -> Cell { .number(share * 100, decimals: 2, unit: "") }

  /// The text of the cell.
  public var shown: String {
    switch self {
    case .text(let text): text
    case .number(let value, let decimals, let unit):
      value.isFinite ? Self.digits(value, decimals) + unit : "–"
    case .none: "–"
    }
  }

  var isNumber: Bool { if case .text = self { false } else { true } }

  /// Returns the decimals with which a number has about three digits.
  static func decimals(of value: Double) -> Int { value < 10 ? 2 : value < 100 ? 1 : 0 }

  /// Returns a number with separated thousands.
  static func digits(_ value: Double, _ decimals: Int) -> String {
    let text = formatted(abs(value), "%.\(decimals)f")
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

extension Cell: Codable {
  /// Decodes a number as one of about three digits; its column has the format.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
      return
    }
    do { self = .measure(try container.decode(Double.self)) } catch DecodingError.typeMismatch {
      self = .text(try container.decode(String.self))
    }
  }

  /// Encodes a number as a number, without its unit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let value, _, _) where value.isFinite: try container.encode(value)
    case .number, .none: try container.encodeNil()
    }
  }
}
