/// The common interface of `JSONValue` and `PlistValue`: literals, and subscripts for elements.
///
/// ```swift
/// var city: JSONValue = ["name": "Kharkiv", "founded": 1654, "rivers": ["Lopan", "Udy"]]
/// city["founded"]?.int          // 1654
/// city["rivers"]?[1]?.string    // "Udy"
/// city["mayor"] = "unknown"
/// ```
public protocol DocumentValue: Codable, Hashable, Sendable, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A Boolean value.
  static func bool(_ bool: Bool) -> Self
  /// A number.
  static func number(_ number: ExactNumber) -> Self
  /// A text.
  static func string(_ string: String) -> Self
  /// A list.
  static func array(_ array: [Self]) -> Self
  /// Returns a dictionary of values by name.
  static func dictionary(_ dictionary: [String: Self]) -> Self

  /// The Boolean value, or `nil` for any other value.
  var bool: Bool? { get }
  /// The number, or `nil` for any other value.
  var number: ExactNumber? { get }
  /// The text, or `nil` for any other value.
  var string: String? { get }
  /// The list, or `nil` for any other value.
  var array: [Self]? { get }
  /// The dictionary, or `nil` for any other value.
  var dictionary: [String: Self]? { get }
}

extension DocumentValue {
  /// The number as an `Int`, or `nil` if this is no whole number in range.
  public var int: Int? { number?.int }
  /// The number rounded to a `Double`, or `nil` if this is no number.
  public var double: Double? { number?.double }

  /// The element at a position, or `nil` if this is no list or has no such position.
  public subscript(index: Int) -> Self? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The value of a name, or `nil` if this is no dictionary or has no such name. Setting it to `nil` removes the value.
  /// Setting it on a value that is no dictionary is a programming error.
  public subscript(name: String) -> Self? {
    get { dictionary?[name] }
    set {
      guard var dictionary else { preconditionFailure("only a dictionary has values by name") }
      // Releases this value's own reference, so that the dictionary is changed in place.
      self = .bool(false)
      dictionary[name] = newValue
      self = .dictionary(dictionary)
    }
  }
}

extension DocumentValue {
  /// A Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int128) { self = .number(.integer(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(.double(value)) }
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A list.
  public init(arrayLiteral elements: Self...) { self = .array(elements) }
  /// Creates a dictionary. If a name occurs twice, the last value is used.
  public init(dictionaryLiteral elements: (String, Self)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}

extension DocumentValue {
  /// Decodes the values that all documents have. `special` decodes values that only this kind of document has.
  static func decoded(
    from decoder: any Decoder, special: (any SingleValueDecodingContainer) -> Self?
  ) throws -> Self {
    let container = try decoder.singleValueContainer()
    if let string = container.attempt(String.self) { return .string(string) }
    if let number = container.attempt(ExactNumber.self) { return .number(number) }
    if let bool = container.attempt(Bool.self) { return .bool(bool) }
    if let special = special(container) { return special }
    var list: any UnkeyedDecodingContainer
    do { list = try decoder.unkeyedContainer() } catch DecodingError.typeMismatch {
      return .dictionary(try container.decode([String: Self].self))
    }
    var array: [Self] = []
    while !list.isAtEnd { array.append(try list.decode(Self.self)) }
    return .array(array)
  }
}
