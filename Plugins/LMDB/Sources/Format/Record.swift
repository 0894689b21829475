#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The value of a record in the database, version 1: a header, the whole key if it is hashed, and the entry's bytes.
///
/// | bytes  | content                                                                                                     |
/// |--------|-------------------------------------------------------------------------------------------------------------|
/// | 0–1    | magic and version: `53 01`                                                                                  |
/// | 2      | flags: bit 0, the entry expires; all other bits are 0                                                       |
/// | 3      | 0                                                                                                           |
/// | 4–7    | K, the length of the whole key if the record's key is its hash; else 0                                      |
/// | 8–15   | expiry: the bits of an IEEE double, seconds since 2001-01-01 00:00 UTC; 0 if it never expires               |
/// | 16–23  | the entry's sequence number in the order of writing; 0 if the store has no limit                            |
/// | 24–    | K bytes: the whole key in UTF-8, in Unicode's normalisation form C                                          |
/// | 24+K–  | the value                                                                                                   |
///
/// All numbers are unsigned and little-endian. There is no checksum: it would cost more than the read.
///
/// It is read in place in the map, and valid as long as the transaction that found it.
struct Record {
  static let headSize = 24
  private static let magic: UInt16 = 0x0153
  private static let expires: UInt8 = 1

  /// `.never` or a date; a date is restored with the same bits.
  let expiry: Expiry
  /// The sequence number in the order of writing.
  let order: UInt64
  private let keyLength: Int
  private let bytes: UnsafeRawBufferPointer

  /// Reads a record. `nil` if the bytes are not one.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headSize else { return nil }
    let flags = bytes[2]
    let deadline: UInt64 = bytes.number(at: 8)
    keyLength = Int(bytes.number(at: 4) as UInt32)
    order = bytes.number(at: 16)
    guard (bytes.number(at: 0) as UInt16) == Self.magic, bytes[3] == 0,
      flags == Self.expires || (flags == 0 && deadline == 0), keyLength <= bytes.count - Self.headSize
    else { return nil }
    expiry =
      flags == 0 ? .never : .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: deadline)))
    self.bytes = bytes
  }

  /// The whole key, if the record contains it.
  var key: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[Self.headSize..<Self.headSize + keyLength])
  }

  @inline(__always)
  var value: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[(Self.headSize + keyLength)...])
  }

  /// A copy of the entry.
  @inline(__always)
  var entry: Entry<Data> { Entry(object: Data(value), expiry: expiry) }

  /// Writes a record to bytes of its size.
  static func write(
    _ value: Data, _ expiry: Expiry, _ key: UnsafeRawBufferPointer?, order: UInt64,
    to bytes: UnsafeMutableRawBufferPointer
  ) {
    let keyLength = key?.count ?? 0
    bytes.put(magic, at: 0)
    bytes.put(UInt32(keyLength), at: 4)
    bytes.put(order, at: 16)
    if case .date(let date) = expiry {
      bytes.put(UInt16(expires), at: 2)
      bytes.put(date.timeIntervalSinceReferenceDate.bitPattern, at: 8)
    } else {
      bytes.put(UInt16(0), at: 2)
      bytes.put(UInt64(0), at: 8)
    }
    if let key { UnsafeMutableRawBufferPointer(rebasing: bytes[headSize...]).copyMemory(from: key) }
    value.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: bytes[(headSize + keyLength)...]).copyMemory(from: $0)
    }
  }

  /// The error for bytes that are not a record.
  static var foreign: StorageError {
    .malformedFileAttributes.with(
      "the database holds a record that is not an entry of Strata: it is damaged, or written by another program; "
        + "remove it, or store the entry again")
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  func put(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
  }
}
