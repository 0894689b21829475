#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The header of a `Cached`, before the bytes of its value.
///
/// | bytes | contents |
/// |---|---|
/// | 2 | `F5 9A`, with which no text and no JSON begins |
/// | 1 | version, 1 |
/// | 1 | flags: 1 generation, 2 details, 4 no value |
/// | 8 | end of the freshness: seconds since 2001, IEEE 754 |
/// | 8 | beginning of the load: seconds since 2001, IEEE 754 |
/// | 4 | duration of the load: seconds, IEEE 754 |
/// | 1 | sum of the bytes before, so that bytes of a value are hardly ever taken for a header |
/// | 8 | generation, if flag 1 is set |
/// | 4 + n | length of the details and details, if flag 2 is set: cost, validator, tags |
///
/// Numbers are little-endian. Bytes that do not begin like this are a value without a header, which is fresh for as
/// long as it is stored.
struct CachedHeader: Equatable {
  static let size = 25
  private static let magic: [UInt8] = [0xF5, 0x9A, 1]

  var end: Double
  var began: Double
  var loadTime: Float
  var generation: UInt64
  /// The details as written, which may be encrypted.
  var details: Data?
  var isAbsent: Bool

  /// Returns the header as bytes.
  var bytes: Data {
    var bytes = Data(capacity: Self.size + 8)
    bytes.append(contentsOf: Self.magic)
    bytes.append((generation == 0 ? 0 : 1) | (details == nil ? 0 : 2) | (isAbsent ? 4 : 0))
    bytes.append(number: end.bitPattern)
    bytes.append(number: began.bitPattern)
    bytes.append(number: loadTime.bitPattern)
    bytes.append(bytes.reduce(0, &+))
    if generation != 0 { bytes.append(number: generation) }
    if let details {
      bytes.append(number: UInt32(details.count))
      bytes.append(details)
    }
    return bytes
  }

  /// Reads a header and the offset of the value; returns `nil` if the bytes do not begin with a header. Throws for a
  /// header of a newer version and for a truncated header.
  static func read(_ bytes: Data) throws -> (header: CachedHeader, count: Int)? {
    var reader = ByteReader(bytes)
    guard bytes.count >= size, reader.bytes(2).elementsEqual(magic.prefix(2)) else { return nil }
    guard bytes.prefix(size - 1).reduce(0, &+) == bytes[bytes.startIndex + size - 1] else { return nil }
    let version: UInt8 = reader.number()
    let flags: UInt8 = reader.number()
    guard version == magic[2], flags < 8 else {
      throw StorageError.newerFormat.with(
        "the header of a loaded value has the unknown version \(version) or flags \(flags)")
    }
    var header = CachedHeader(
      end: Double(bitPattern: reader.number()), began: Double(bitPattern: reader.number()),
      loadTime: Float(bitPattern: reader.number()), generation: 0, details: nil, isAbsent: flags & 4 != 0)
    _ = reader.bytes(1)
    if flags & 1 != 0 { header.generation = reader.number() }
    if flags & 2 != 0 { header.details = reader.bytes(Int(reader.number() as UInt32)) }
    guard reader.isIntact else {
      throw StorageError.decodingFailed.with("the header of a loaded value is truncated")
    }
    return (header, reader.offset)
  }
}

/// Reads numbers from bytes. Beyond the end it reads zeros and sets `isIntact` to `false`.
struct ByteReader {
  private let data: Data
  private(set) var offset = 0
  private(set) var isIntact = true

  init(_ data: Data) { self.data = data }

  var isAtEnd: Bool { offset == data.count }

  mutating func bytes(_ count: Int) -> Data {
    guard count <= data.count - offset else {
      isIntact = false
      return Data()
    }
    defer { offset += count }
    return data.dropFirst(offset).prefix(count)
  }

  mutating func number<Number: FixedWidthInteger>(as type: Number.Type = Number.self) -> Number {
    bytes(Number.bitWidth / 8).reversed().reduce(0) { ($0 << 7) << 1 | Number(truncatingIfNeeded: $1) }
  }
}

extension Data {
  mutating func append(number: some FixedWidthInteger) {
    for byte in 0..<(number.bitWidth / 8) { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
}
