#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A type of the standard library or of Foundation that is read without a container of `Codable`.
protocol CBORReadable: Decodable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> Self
}

extension CBORReader {
  /// A cast to a protocol takes a hundred times as long as reading a number, so its result is kept.
  private static let readables = CBORTypeTable<(any CBORReadable.Type)?>()

  /// Decodes a value of any type. Each bit cast converts a value to its own type. `T?` is avoided: creating its
  /// metadata takes longer than reading most values.
  @inline(__always)
  func value<T: Decodable>(_ type: T.Type, at place: CBORPlace) throws -> T {
    if type == String.self { return unsafeBitCast(try text(at: place), to: T.self) }
    if type == Int.self { return unsafeBitCast(try integer(Int.self, at: place), to: T.self) }
    if type == Double.self { return unsafeBitCast(try double(at: place), to: T.self) }
    if type == Bool.self { return unsafeBitCast(try bool(at: place), to: T.self) }
    if let readable = Self.readable(type) {
      return try read(readable, as: type, at: place)
    }
    return try T(from: CBORDecoding(reader: self, place: place))
  }

  @inline(__always)
  private static func readable(_ type: Any.Type) -> (any CBORReadable.Type)? {
    readables.fact(of: type) { type as? any CBORReadable.Type } ?? cast(type)
  }

  @inline(never)
  private static func cast(_ type: Any.Type) -> (any CBORReadable.Type)? { type as? any CBORReadable.Type }

  /// Reads a type as itself: `R` is the same type as `T`, of which more is known.
  private func read<R: CBORReadable, T>(_ readable: R.Type, as type: T.Type, at place: CBORPlace) throws -> T
  {
    unsafeBitCast(try R.read(self, at: place), to: T.self)
  }
}

extension Data: CBORReadable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> Data {
    Data(try reader.bytes(for: Data.self, at: place))
  }
}

extension UUID: CBORReadable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> UUID { try reader.uuid(at: place) }
}

extension URL: CBORReadable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> URL { try reader.url(at: place) }
}

extension Date: CBORReadable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> Date {
    try reader.date(at: place) ?? Date(timeIntervalSinceReferenceDate: reader.double(at: place))
  }
}

extension Float: CBORReadable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> Float { try reader.float(at: place) }
}

extension FixedWidthInteger where Self: CBORReadable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> Self {
    try reader.integer(Self.self, at: place)
  }
}

extension Int8: CBORReadable {}
extension Int16: CBORReadable {}
extension Int32: CBORReadable {}
extension Int64: CBORReadable {}
extension UInt: CBORReadable {}
extension UInt8: CBORReadable {}
extension UInt16: CBORReadable {}
extension UInt32: CBORReadable {}
extension UInt64: CBORReadable {}

extension Optional: CBORReadable where Wrapped: Decodable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> Wrapped? {
    reader.isNil(at: place.offset) ? nil : .some(try reader.value(Wrapped.self, at: place))
  }
}

extension Array: CBORReadable where Element: Decodable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> [Element] {
    if Element.self == String.self {
      return unsafeBitCast(try reader.array(at: place, reader.text), to: Self.self)
    }
    if Element.self == Int.self {
      return unsafeBitCast(
        try reader.array(at: place) { try reader.integer(Int.self, at: $0) }, to: Self.self)
    }
    if Element.self == Double.self {
      return unsafeBitCast(try reader.array(at: place, reader.double), to: Self.self)
    }
    if Element.self == UInt8.self { return unsafeBitCast(try reader.byteArray(at: place), to: Self.self) }
    return try reader.array(at: place) { try reader.value(Element.self, at: $0) }
  }
}

extension Set: CBORReadable where Element: Decodable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> Set<Element> {
    Set(try [Element].read(reader, at: place))
  }
}

extension Dictionary: CBORReadable where Key: Decodable, Value: Decodable {
  static func read(_ reader: CBORReader, at place: CBORPlace) throws -> [Key: Value] {
    if Key.self == String.self {
      if Value.self == String.self {
        return unsafeBitCast(try reader.dictionary(at: place, reader.name, reader.text), to: Self.self)
      }
      if Value.self == Int.self {
        return unsafeBitCast(
          try reader.dictionary(at: place, reader.name) { try reader.integer(Int.self, at: $0) },
          to: Self.self)
      }
      return unsafeBitCast(
        try reader.dictionary(at: place, reader.name) { try reader.value(Value.self, at: $0) }, to: Self.self)
    }
    if Key.self == Int.self {
      return unsafeBitCast(
        try reader.dictionary(at: place, reader.number) { try reader.value(Value.self, at: $0) },
        to: Self.self)
    }
    // Other keys are read as `Codable` defines it: by their texts, or as pairs.
    return try Self(from: CBORDecoding(reader: reader, place: place))
  }
}
