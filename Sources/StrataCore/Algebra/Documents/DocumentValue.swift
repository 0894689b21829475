/// What `JSONValue` and `PlistValue` have in common: made of literals, and looked into with subscripts.
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
  /// True or false.
  static func bool(_ bool: Bool) -> Self
  /// A number.
  static func number(_ number: ExactNumber) -> Self
  /// A text.
  static func string(_ string: String) -> Self
  /// A list.
  static func array(_ array: [Self]) -> Self
  /// Values by name.
  static func dictionary(_ dictionary: [String: Self]) -> Self

  /// The value, if it is true or false.
  var bool: Bool? { get }
  /// The value, if it is a number.
  var number: ExactNumber? { get }
  /// The value, if it is a text.
  var string: String? { get }
  /// The value, if it is a list.
  var array: [Self]? { get }
  /// The value, if it is a dictionary.
  var dictionary: [String: Self]? { get }
}

extension DocumentValue {
  /// The value, if it is a whole number and in range.
  public var int: Int? { number?.int }
  /// The value, if it is a number, rounded to what a `Double` holds.
  public var double: Double? { number?.double }

  /// The element at a position, if this is a list that has one.
  public subscript(index: Int) -> Self? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The value under a name, if this is a dictionary that has one. Set it to `nil` to remove it; to set anything in
  /// what is no dictionary is a programming error.
  public subscript(name: String) -> Self? {
    get { dictionary?[name] }
    set {
      guard var dictionary else { preconditionFailure("only a dictionary has values by name") }
      // Gives up this value's own reference, so that the dictionary is changed in place.
      self = .bool(false)
      dictionary[name] = newValue
      self = .dictionary(dictionary)
    }
  }
}

extension DocumentValue {
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int128) { self = .number(.integer(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(.double(value)) }
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A list.
  public init(arrayLiteral elements: Self...) { self = .array(elements) }
  /// Values by name; the last counts where a name comes twice.
  public init(dictionaryLiteral elements: (String, Self)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}

extension DocumentValue {
  /// Decodes what all documents have; `special` knows what only this kind has.
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
