internal import CPostgres

/// The text of a statement, with the types of its parameters.
struct Query: Sendable, Hashable {
  let text: String
  /// The name of the prepared statement. All clients give a text the same name, and different texts different names.
  let name: String
  let types: [Oid]
  /// Whether the statement changes nothing, so that it can be repeated.
  let isRead: Bool

  init(_ text: String, _ types: [Parameters.Kind] = [], isRead: Bool = false) {
    self.text = text
    self.types = types.map(\.rawValue)
    self.isRead = isRead
    name = Self.name(of: text)
  }

  /// Returns 124 bits of a hash, so that different texts have different names. A pooler shares connections among
  /// clients, and therefore prepared statements.
  private static func name(of text: String) -> String { "s" + digest(text).prefix(31) }
}

/// The values of a statement's parameters, in PostgreSQL's binary format.
struct Parameters: Sendable {
  /// The types of parameters, by their numbers in `pg_type`.
  enum Kind: Oid {
    case bytes = 17
    case integer = 20
    case text = 25
    case transaction = 28
    case date = 1184
    case arrayOfBytes = 1001
  }

  /// All values in one buffer. Its first byte is unused, so that it is never empty.
  private var bytes: [UInt8] = [0]
  /// The range of each value in `bytes`; `nil` for NULL.
  private var places: [Range<Int>?] = []

  init() {}

  /// The bytes of the first value.
  var first: [UInt8] { places.first.flatMap { $0 }.map { Array(bytes[$0]) } ?? [] }

  /// The number of bytes of all values.
  var size: Int { bytes.count }

  mutating func append(_ value: some Sequence<UInt8>) {
    let start = bytes.count
    if value.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
      bytes.append(contentsOf: value)
    }
    places.append(start..<bytes.count)
  }

  mutating func append(_ number: Int) {
    let start = bytes.count
    append(bigEndian: Int64(number))
    places.append(start..<bytes.count)
  }

  mutating func appendNull() { places.append(nil) }

  /// Appends an array of `bytea`, whose elements may be NULL.
  mutating func append<Element: Sequence<UInt8>>(arrayOf elements: [Element?]) {
    let start = bytes.count
    for number in [elements.isEmpty ? 0 : 1, 1, Int32(Kind.bytes.rawValue)] { append(bigEndian: number) }
    if !elements.isEmpty {
      append(bigEndian: Int32(clamping: elements.count))
      append(bigEndian: 1 as Int32)
    }
    for element in elements {
      guard let element else {
        append(bigEndian: -1 as Int32)
        continue
      }
      let head = bytes.count
      append(bigEndian: 0 as Int32)
      if element.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
        bytes.append(contentsOf: element)
      }
      let count = Int32(clamping: bytes.count - head - 4)
      withUnsafeBytes(of: count.bigEndian) { bytes.replaceSubrange(head..<head + 4, with: $0) }
    }
    places.append(start..<bytes.count)
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Passes the values to `body` as libpq takes them: their number, addresses, lengths and formats.
  func withPointers<R>(
    _ body: (CInt, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<CInt>, UnsafePointer<CInt>) -> R
  ) -> R {
    bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let values = places.map { place in place.flatMap { place in start.map { $0 + place.lowerBound } } }
      let lengths = places.map { CInt(clamping: $0?.count ?? 0) }
      return body(CInt(places.count), values, lengths, Array(repeating: 1, count: places.count))
    }
  }
}

/// A query with the values of its parameters.
struct Statement: Sendable {
  let query: Query
  let parameters: Parameters

  init(_ query: Query, _ build: (inout Parameters) -> Void = { _ in }) {
    self.query = query
    var parameters = Parameters()
    build(&parameters)
    self.parameters = parameters
  }
}
