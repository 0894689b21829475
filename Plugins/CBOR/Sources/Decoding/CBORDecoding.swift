#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The decoder passed to a type; also its single-value container.
///
/// Three words, so that `any Decoder` holds it in place.
struct CBORDecoding: Decoder {
  let reader: CBORReader
  let place: CBORPlace

  var codingPath: [any CodingKey] { reader.path(to: place.depth) }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CBORKeyedDecoding<Key>(reader: reader, map: try reader.map(at: place)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try CBORUnkeyedDecoding(reader, place) }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension CBORDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { reader.isNil(at: place.offset) }
  func decode(_ type: Bool.Type) throws -> Bool { try reader.bool(at: place) }
  func decode(_ type: String.Type) throws -> String { try reader.text(at: place) }
  func decode(_ type: Double.Type) throws -> Double { try reader.double(at: place) }
  func decode(_ type: Float.Type) throws -> Float { try reader.float(at: place) }
  func decode(_ type: Int.Type) throws -> Int { try reader.integer(Int.self, at: place) }
  func decode(_ type: Int8.Type) throws -> Int8 { try reader.integer(Int8.self, at: place) }
  func decode(_ type: Int16.Type) throws -> Int16 { try reader.integer(Int16.self, at: place) }
  func decode(_ type: Int32.Type) throws -> Int32 { try reader.integer(Int32.self, at: place) }
  func decode(_ type: Int64.Type) throws -> Int64 { try reader.integer(Int64.self, at: place) }
  func decode(_ type: UInt.Type) throws -> UInt { try reader.integer(UInt.self, at: place) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try reader.integer(UInt8.self, at: place) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try reader.integer(UInt16.self, at: place) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try reader.integer(UInt32.self, at: place) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try reader.integer(UInt64.self, at: place) }
  func decode(_ type: Int128.Type) throws -> Int128 { try reader.integer(Int128.self, at: place) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try reader.integer(UInt128.self, at: place) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try reader.value(type, at: place) }
}

extension CBORReader {
  /// Decodes a value of any type. Types with a representation of their own in CBOR are recognized by their metatypes: a
  /// cast to a protocol takes a hundred times as long. Each bit cast converts a value to its own type. `T?` is avoided:
  /// creating its metadata takes longer than reading most values.
  @inline(__always)
  func value<T: Decodable>(_ type: T.Type, at place: CBORPlace) throws -> T {
    if type == String.self { return unsafeBitCast(try text(at: place), to: T.self) }
    if type == Int.self { return unsafeBitCast(try integer(Int.self, at: place), to: T.self) }
    if type == Double.self { return unsafeBitCast(try double(at: place), to: T.self) }
    if type == Bool.self { return unsafeBitCast(try bool(at: place), to: T.self) }
    if type == Data.self { return unsafeBitCast(Data(try bytes(for: type, at: place)), to: T.self) }
    if type == UUID.self { return unsafeBitCast(try uuid(at: place), to: T.self) }
    if type == URL.self { return unsafeBitCast(try url(at: place), to: T.self) }
    if type == Date.self, let date = try date(at: place) { return unsafeBitCast(date, to: T.self) }
    if type == [String].self, let texts = try array(at: place, text) {
      return unsafeBitCast(texts, to: T.self)
    }
    if type == [Int].self, let integers = try array(at: place, { try integer(Int.self, at: $0) }) {
      return unsafeBitCast(integers, to: T.self)
    }
    if type == [Double].self, let doubles = try array(at: place, double) {
      return unsafeBitCast(doubles, to: T.self)
    }
    if type == [UInt8].self, let bytes = try byteArray(at: place) { return unsafeBitCast(bytes, to: T.self) }
    if type == [String: String].self { return unsafeBitCast(try texts(at: place), to: T.self) }
    return try T(from: CBORDecoding(reader: self, place: place))
  }

  func map(at place: CBORPlace) throws -> CBORMap {
    let offset = untagged(place.offset)
    let head = head(at: offset)
    guard head.major == MajorType.map else { throw mismatch([String: Any].self, at: place) }
    return CBORMap(start: offset + head.size, count: Int(head.number), depth: place.depth)
  }
}
