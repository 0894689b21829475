#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Any property list, as `mapPlist()` reads and writes it.
///
/// ```swift
/// let settings = disk.mapPlist()
/// try await settings.set(["theme": "dark", "opened": .date(Date())], forKey: "settings")
/// let opened = try await settings.retrieve(forKey: "settings")["opened"]?.date
/// ```
///
/// The largest whole number in a property list is `UInt64.max`. XML rounds dates to seconds.
public enum PlistValue: DocumentValue {
  /// A Boolean value.
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

  /// The Boolean value, or `nil` for any other value.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// The number, or `nil` for any other value.
  public var number: ExactNumber? { if case .number(let number) = self { number } else { nil } }
  /// The text, or `nil` for any other value.
  public var string: String? { if case .string(let string) = self { string } else { nil } }
  /// The date, or `nil` for any other value.
  public var date: Date? { if case .date(let date) = self { date } else { nil } }
  /// The bytes, or `nil` for any other value.
  public var data: Data? { if case .data(let data) = self { data } else { nil } }
  /// The list, or `nil` for any other value.
  public var array: [PlistValue]? { if case .array(let array) = self { array } else { nil } }
  /// The dictionary, or `nil` for any other value.
  public var dictionary: [String: PlistValue]? {
    if case .dictionary(let dictionary) = self { dictionary } else { nil }
  }
}

extension PlistValue: Codable {
  /// Decodes any property list.
  public init(from decoder: any Decoder) throws {
    self = try .decoded(from: decoder) {
      $0.attempt(Date.self).map(PlistValue.date) ?? $0.attempt(Data.self).map(PlistValue.data)
    }
  }

  /// Encodes the value as a property list.
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

extension PlistValue: Equatable {
  /// Returns whether both are the same value. Never inlined: the comparisons of lists and dictionaries, which call it,
  /// would otherwise be several copies of it.
  @inline(never)
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }
}
