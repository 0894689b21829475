/// The container of an array that is being decoded.
///
/// Three words, so that `any UnkeyedDecodingContainer` holds it in place.
struct CBORUnkeyedDecoding: UnkeyedDecodingContainer {
  private let reader: CBORReader
  /// The offset of the next element in the low 48 bits, and the depth of the array in the bits above.
  private var position: UInt64
  private var index: UInt32 = 0
  private let total: UInt32

  init(_ reader: CBORReader, _ place: CBORPlace) throws {
    self.reader = reader
    let offset = reader.untagged(place.offset)
    let head = reader.head(at: offset)
    guard head.major == MajorType.array, let total = UInt32(exactly: head.number) else {
      throw reader.mismatch([Any].self, at: place)
    }
    self.total = total
    position = UInt64(place.depth) << 48 | UInt64(offset + head.size)
    _ = reader.cursor(place.depth, of: offset + head.size)
  }

  var codingPath: [any CodingKey] { reader.path(to: depth) }
  var count: Int? { Int(total) }
  var isAtEnd: Bool { index == total }
  var currentIndex: Int { Int(index) }

  private var depth: Int { Int(position >> 48) }
  private var next: Int { Int(position & 0xffff_ffff_ffff) }

  /// Returns the location of the next element. If reading the element fails, it remains the next one.
  @inline(__always)
  private func begin(_ type: Any.Type) throws -> CBORPlace {
    guard index < total else { throw ended(type) }
    // The cursor may belong to another container of this depth, and must then not be changed.
    let cursor = reader.state.pointee.cursors + depth
    if cursor.pointee.next == next { cursor.pointee.key = -2 - Int(index) }
    return CBORPlace(offset: next, depth: depth + 1)
  }

  private func ended(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      .init(codingPath: codingPath + [CBORKey(index: Int(index))], debugDescription: "the array has ended"))
  }

  @inline(__always)
  private mutating func element<T>(_ type: Any.Type, _ read: (CBORPlace) throws -> T) throws -> T {
    let place = try begin(type)
    let value = try read(place)
    advance(past: place)
    return value
  }

  @inline(__always)
  private mutating func advance(past place: CBORPlace) {
    let end = reader.end(of: reader.untagged(place.offset), depth: place.depth)
    // The cursors may have been reallocated meanwhile.
    let cursor = reader.state.pointee.cursors + depth
    if cursor.pointee.next == place.offset {
      (cursor.pointee.next, cursor.pointee.taken) = (end, Int(index) + 1)
    }
    position = position & ~0xffff_ffff_ffff | UInt64(end)
    index += 1
  }

  mutating func decodeNil() throws -> Bool {
    guard index < total, reader.isNil(at: next) else { return false }
    advance(past: CBORPlace(offset: next, depth: depth + 1))
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try element(type) { [reader] in try reader.bool(at: $0) }
  }
  mutating func decode(_ type: String.Type) throws -> String {
    try element(type) { [reader] in try reader.text(at: $0) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try element(type) { [reader] in try reader.double(at: $0) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try element(type) { [reader] in try reader.float(at: $0) }
  }
  mutating func decode(_ type: Int.Type) throws -> Int {
    try element(type) { [reader] in try reader.integer(Int.self, at: $0) }
  }
  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try element(type) { [reader] in try reader.integer(Int8.self, at: $0) }
  }
  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try element(type) { [reader] in try reader.integer(Int16.self, at: $0) }
  }
  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try element(type) { [reader] in try reader.integer(Int32.self, at: $0) }
  }
  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try element(type) { [reader] in try reader.integer(Int64.self, at: $0) }
  }
  mutating func decode(_ type: UInt.Type) throws -> UInt {
    try element(type) { [reader] in try reader.integer(UInt.self, at: $0) }
  }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try element(type) { [reader] in try reader.integer(UInt8.self, at: $0) }
  }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try element(type) { [reader] in try reader.integer(UInt16.self, at: $0) }
  }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try element(type) { [reader] in try reader.integer(UInt32.self, at: $0) }
  }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try element(type) { [reader] in try reader.integer(UInt64.self, at: $0) }
  }
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try element(type) { [reader] in try reader.integer(Int128.self, at: $0) }
  }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try element(type) { [reader] in try reader.integer(UInt128.self, at: $0) }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let place = try begin(type)
    let value = try reader.value(type, at: place)
    advance(past: place)
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
    -> KeyedDecodingContainer<Nested>
  {
    try element([String: Any].self) { [reader] in
      try CBORDecoding(reader: reader, place: $0).container(keyedBy: type)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element([Any].self) { [reader] in try CBORUnkeyedDecoding(reader, $0) }
  }

  mutating func superDecoder() throws -> any Decoder {
    try element((any Decoder).self) { [reader] in CBORDecoding(reader: reader, place: $0) }
  }
}
