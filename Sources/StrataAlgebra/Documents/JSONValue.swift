/// Any JSON value, as `mapJSON()` reads and writes it.
///
/// ```swift
/// let documents = disk.mapJSON()
/// try await documents.set(["name": "Ada", "visits": 3], forKey: "ada")
/// let visits = try await documents.retrieve(forKey: "ada")["visits"]?.int
/// ```
///
/// Numbers keep their digits: see `ExactNumber`. `JSONEncoder` refuses numbers that are not finite.
public enum JSONValue: DocumentValue {
  /// The JSON `null`.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// A number.
  case number(ExactNumber)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Values by name, a JSON object.
  case dictionary([String: JSONValue])

  /// Whether the value is `null`.
  public var isNull: Bool { self == .null }
  /// The Boolean value, or `nil` for any other value.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// The number, or `nil` for any other value.
  public var number: ExactNumber? { if case .number(let number) = self { number } else { nil } }
  /// The text, or `nil` for any other value.
  public var string: String? { if case .string(let string) = self { string } else { nil } }
  /// The list, or `nil` for any other value.
  public var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
  /// The dictionary, or `nil` for any other value.
  public var dictionary: [String: JSONValue]? {
    if case .dictionary(let dictionary) = self { dictionary } else { nil }
  }
}

extension JSONValue: ExpressibleByNilLiteral {
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: Codable {
  /// Decodes any JSON.
  public init(from decoder: any Decoder) throws {
    self = try .decoded(from: decoder) { $0.decodeNil() ? .null : nil }
  }

  /// Encodes the value as JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .dictionary(let dictionary): try container.encode(dictionary)
    }
  }
}

extension JSONValue: Equatable {
  /// Returns whether both are the same value. Never inlined: the comparisons of lists and dictionaries, which call it,
  /// would otherwise be several copies of it.
  @inline(never)
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }
}
