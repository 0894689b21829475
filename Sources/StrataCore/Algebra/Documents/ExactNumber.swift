/// A number of a document: whole, with all of its digits, or a `Double`.
///
/// Two are equal when they are the same number, so `5` equals `5.0`: documents do not always keep the two apart.
public enum ExactNumber: Sendable {
  /// A whole number; up to 38 digits are kept.
  case integer(Int128)
  /// Any other.
  case double(Double)

  /// The number, if it is whole and in range.
  public var int: Int? {
    switch self {
    case .integer(let integer): Int(exactly: integer)
    case .double(let double): Int(exactly: double)
    }
  }

  /// The number, rounded to what a `Double` holds.
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
  /// Whether both are the same number.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left.integer, right.integer) {
    case (let left?, let right?): left == right
    case (nil, nil): left.double == right.double
    default: false
    }
  }

  /// Adds the number, however it is held.
  public func hash(into hasher: inout Hasher) { hasher.combine(double) }
}

extension ExactNumber: Codable {
  /// Reads a number. One that is whole and has more than 38 digits is rounded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Every number is a `Double` to begin with, so what is none is found out by a single error, which is slow to make.
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

  /// Writes the number in the smallest type that holds it, since not every format knows the largest.
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
  /// The value, if it is of a type: that it is of another is an answer here, and no error.
  func attempt<Value: Decodable>(_ type: Value.Type) -> Value? { try? decode(type) }
}
