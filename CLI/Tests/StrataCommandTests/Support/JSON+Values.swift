@testable import StrataCommand

extension JSON {
  /// The number, or `nil` for other values.
  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// The elements of an array, or `nil` for other values.
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}
