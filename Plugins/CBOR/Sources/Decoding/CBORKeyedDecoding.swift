/// The container of a map that is being decoded.
struct CBORKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: CBORReader
  let map: CBORMap

  var codingPath: [any CodingKey] { reader.path(to: map.depth) }
  var allKeys: [Key] { reader.keys(of: map, as: Key.self) }

  func contains(_ key: Key) -> Bool { reader.value(of: key, in: map) >= 0 }

  @inline(__always)
  private func place(of key: some CodingKey) throws -> CBORPlace {
    let offset = reader.value(of: key, in: map)
    guard offset >= 0 else { throw missing(key) }
    return CBORPlace(offset: offset, depth: map.depth + 1)
  }

  /// Returns the location of a value that is present and not null.
  @inline(__always)
  private func placeIfPresent(of key: Key) -> CBORPlace? {
    let offset = reader.value(of: key, in: map)
    guard offset >= 0, !reader.isNil(at: offset) else { return nil }
    return CBORPlace(offset: offset, depth: map.depth + 1)
  }

  private func missing(_ key: some CodingKey) -> DecodingError {
    .keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "the map has no key \"\(key.stringValue)\""))
  }

  func decodeNil(forKey key: Key) throws -> Bool { reader.isNil(at: try place(of: key).offset) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try reader.bool(at: place(of: key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try reader.text(at: place(of: key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try reader.double(at: place(of: key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try reader.float(at: place(of: key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try reader.integer(Int.self, at: place(of: key))
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try reader.integer(Int8.self, at: place(of: key))
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try reader.integer(Int16.self, at: place(of: key))
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try reader.integer(Int32.self, at: place(of: key))
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try reader.integer(Int64.self, at: place(of: key))
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try reader.integer(UInt.self, at: place(of: key))
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try reader.integer(UInt8.self, at: place(of: key))
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try reader.integer(UInt16.self, at: place(of: key))
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try reader.integer(UInt32.self, at: place(of: key))
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try reader.integer(UInt64.self, at: place(of: key))
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try reader.integer(Int128.self, at: place(of: key))
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try reader.integer(UInt128.self, at: place(of: key))
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try reader.value(type, at: place(of: key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try placeIfPresent(of: key).map { try reader.bool(at: $0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try placeIfPresent(of: key).map { try reader.text(at: $0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try placeIfPresent(of: key).map { try reader.double(at: $0) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try placeIfPresent(of: key).map { try reader.float(at: $0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try placeIfPresent(of: key).map { try reader.integer(Int.self, at: $0) }
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try placeIfPresent(of: key).map { try reader.integer(Int8.self, at: $0) }
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try placeIfPresent(of: key).map { try reader.integer(Int16.self, at: $0) }
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try placeIfPresent(of: key).map { try reader.integer(Int32.self, at: $0) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try placeIfPresent(of: key).map { try reader.integer(Int64.self, at: $0) }
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try placeIfPresent(of: key).map { try reader.integer(UInt.self, at: $0) }
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try placeIfPresent(of: key).map { try reader.integer(UInt8.self, at: $0) }
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try placeIfPresent(of: key).map { try reader.integer(UInt16.self, at: $0) }
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try placeIfPresent(of: key).map { try reader.integer(UInt32.self, at: $0) }
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try placeIfPresent(of: key).map { try reader.integer(UInt64.self, at: $0) }
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try placeIfPresent(of: key).map { try reader.integer(Int128.self, at: $0) }
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try placeIfPresent(of: key).map { try reader.integer(UInt128.self, at: $0) }
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let place = placeIfPresent(of: key) else { return nil }
    return try reader.value(type, at: place)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try CBORDecoding(reader: reader, place: place(of: key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try CBORUnkeyedDecoding(reader, place(of: key))
  }

  func superDecoder() throws -> any Decoder {
    CBORDecoding(reader: reader, place: try place(of: CBORKey.superclass))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    CBORDecoding(reader: reader, place: try place(of: key))
  }
}
