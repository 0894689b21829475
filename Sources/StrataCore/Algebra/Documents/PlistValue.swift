#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Any property list: what `mapPlist()` reads and writes.
///
/// The largest whole number a property list takes is `UInt64.max`. XML keeps dates to the second.
public enum PlistValue: DocumentValue {
  /// True or false.
  case bool(Bool)
  /// A number.
  case number(ExactNumber)
  /// A text.
  case string(String)
  /// A date.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A list.
  case array([PlistValue])
  /// Values by name.
  case dictionary([String: PlistValue])

  /// The value, if it is true or false.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// The value, if it is a number.
  public var number: ExactNumber? { if case .number(let number) = self { number } else { nil } }
  /// The value, if it is a text.
  public var string: String? { if case .string(let string) = self { string } else { nil } }
  /// The value, if it is a date.
  public var date: Date? { if case .date(let date) = self { date } else { nil } }
  /// The value, if it is bytes.
  public var data: Data? { if case .data(let data) = self { data } else { nil } }
  /// The value, if it is a list.
  public var array: [PlistValue]? { if case .array(let array) = self { array } else { nil } }
  /// The value, if it is a dictionary.
  public var dictionary: [String: PlistValue]? {
    if case .dictionary(let dictionary) = self { dictionary } else { nil }
  }
}

extension PlistValue: Codable {
  /// Reads any property list.
  public init(from decoder: any Decoder) throws {
    self = try .decoded(from: decoder) {
      $0.attempt(Date.self).map(PlistValue.date) ?? $0.attempt(Data.self).map(PlistValue.data)
    }
  }

  /// Writes a property list.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let bool): try container.encode(bool)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .date(let date): try container.encode(date)
    case .data(let data): try container.encode(data)
    case .array(let array): try container.encode(array)
    case .dictionary(let dictionary): try container.encode(dictionary)
    }
  }
}
