/// A number of a document: a whole number with all its digits, or a `Double`.
///
/// ```swift
/// let value: JSONValue = ["id": 9_007_199_254_740_993, "price": 2.5]
/// value["id"]?.number?.int       // 9007199254740993, which no `Double` can hold
/// value["price"]?.number?.int    // nil: not a whole number
/// ```
///
/// Two values are equal if they are the same number, so `5` equals `5.0`: not all documents distinguish the two.
public enum ExactNumber: Sendable {
  /// A whole number of up to 38 digits.
  case integer(Int128)
  /// Any other number.
  case double(Double)

  /// The number as an `Int`, or `nil` if it is not whole or out of range.
  public var int: Int? {
    switch self {
    case .integer(let integer): Int(exactly: integer)
    case .double(let double): Int(exactly: double)
    }
  }

  /// The number rounded to a `Double`.
  public var double: Double {
    switch self {
    case .integer(let integer): Double(integer)
    case .double(let double): double
    }
  }

  private var integer: Int128? {
    switch self {
    case .integer(let integer): integer
    case .double(let double): Int128(exactly: double)
    }
  }
}

extension ExactNumber: Hashable {
  /// Returns whether both are the same number.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left.integer, right.integer) {
    case (let left?, let right?): left == right
    case (nil, nil): left.double == right.double
    default: false
    }
  }

  /// Hashes the number, whichever case holds it.
  public func hash(into hasher: inout Hasher) { hasher.combine(double) }
}

extension ExactNumber: Codable {
  /// Decodes a number. A whole number of more than 38 digits is rounded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Every number can be decoded as a `Double`, so a value that is no number costs one error only: errors are slow to
    // make.
    let double = try container.decode(Double.self)
    if double.rounded() != double {
      self = .double(double)
    } else if let integer = container.attempt(Int.self) {
      self = .integer(Int128(integer))
    } else if let integer = container.attempt(UInt64.self) {
      self = .integer(Int128(integer))
    } else if let integer = container.attempt(Int128.self) {
      self = .integer(integer)
    } else {
      self = .double(double)
    }
  }

  /// Encodes the number in the smallest type that can hold it, since not every format supports the largest type.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .double(let double): try container.encode(double)
    case .integer(let integer):
      if let small = Int(exactly: integer) {
        try container.encode(small)
      } else if let positive = UInt64(exactly: integer) {
        try container.encode(positive)
      } else {
        try container.encode(integer)
      }
    }
  }
}

extension SingleValueDecodingContainer {
  /// Returns the value as a type, or `nil` if it has another type, which is not an error here.
  func attempt<Value: Decodable>(_ type: Value.Type) -> Value? { try? decode(type) }
}
