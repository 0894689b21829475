/// The decoder passed to a type; also its single-value container.
///
/// Three words, so that `any Decoder` holds it in place.
struct CBORDecoding: Decoder {
  let reader: CBORReader
  let place: CBORPlace

  var codingPath: [any CodingKey] { reader.path(to: place.depth) }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try reader.container(keyedBy: type, at: place)
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
  func map(at place: CBORPlace) throws -> CBORMap {
    let offset = untagged(place.offset)
    let head = head(at: offset)
    guard head.major == MajorType.map else { throw mismatch([String: Any].self, at: place) }
    return CBORMap(start: offset + head.size, count: Int(head.number), depth: place.depth)
  }
}
