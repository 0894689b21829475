#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataEngines

/// The value of a record in the database, version 1: a header, the whole key if it is hashed, and the entry's bytes.
///
/// | bytes  | content                                                                                                     |
/// |--------|-------------------------------------------------------------------------------------------------------------|
/// | 0–1    | magic and version: `53 01`                                                                                  |
/// | 2      | flags: bit 0, the entry expires; bit 1, the value is stored in parts and described by a `DividedValue`; all |
/// |        | other bits are 0. Earlier versions treat a record with bit 1 as one of another program                      |
/// | 3      | 0                                                                                                           |
/// | 4–7    | K, the length of the whole key if the record's key is its hash; else 0                                      |
/// | 8–15   | expiry: the bits of an IEEE double, seconds since 2001-01-01 00:00 UTC; 0 if it never expires               |
/// | 16–23  | the entry's sequence number in the order of writing; 0 if the store has no limit                            |
/// | 24–    | K bytes: the whole key in UTF-8, in Unicode's normalisation form C                                          |
/// | 24+K–  | the value                                                                                                   |
///
/// All numbers are unsigned and little-endian. There is no checksum: it would cost more than the read.
///
/// The record is read in place in the map, and is valid until its transaction ends.
struct Record {
  /// Bytes 0 to 23 of a record, with little-endian numbers.
  private struct Head {
    let mark: UInt32
    let keyLength: UInt32
    let deadline: UInt64
    let order: UInt64
  }

  static let headSize = MemoryLayout<Head>.size
  /// Bytes 0 to 3 of an entry that never expires.
  private static let lasting: UInt32 = 0x0153
  private static let expiring: UInt32 = 0x1_0153
  private static let inParts: UInt32 = 0x2_0000

  /// Whether the value is stored in parts.
  let isDivided: Bool

  /// `.never` or a date; a date is restored with the same bits.
  let expiry: Expiry
  /// The sequence number in the order of writing.
  let order: UInt64
  /// The whole key, if the record contains it.
  let key: UnsafeRawBufferPointer
  let value: UnsafeRawBufferPointer

  /// Parses a record. Returns `nil` if the bytes are not a valid record.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headSize else { return nil }
    let head = bytes.loadUnaligned(as: Head.self)
    let deadline = UInt64(littleEndian: head.deadline)
    let mark = UInt32(littleEndian: head.mark)
    isDivided = mark & Self.inParts != 0
    switch mark & ~Self.inParts {
    case Self.lasting where deadline == 0: expiry = .never
    case Self.expiring:
      expiry = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: deadline)))
    default: return nil
    }
    order = UInt64(littleEndian: head.order)
    let keyEnd = Self.headSize + Int(UInt32(littleEndian: head.keyLength))
    if keyEnd > bytes.count { return nil }
    key = bytes.part(Self.headSize..<keyEnd)
    value = bytes.part(keyEnd...)
  }

  /// A copy of the entry. If the value is stored in parts, it is their description.
  @inline(__always)
  var entry: Entry<Data> { Entry(object: Data(value), expiry: expiry) }

  /// The description of a value that is stored in parts; `nil` for any other.
  var divided: DividedValue? {
    get throws { isDivided ? try DividedValue(reading: value) : nil }
  }

  /// Writes a record to bytes of its size.
  static func write(
    _ value: Data, isDivided: Bool, _ expiry: Expiry, _ key: UnsafeRawBufferPointer?, order: UInt64,
    to bytes: UnsafeMutableRawBufferPointer
  ) {
    let keyLength = key?.count ?? 0
    var (mark, deadline) = (lasting, UInt64(0))
    if case .date(let date) = expiry {
      (mark, deadline) = (expiring, date.timeIntervalSinceReferenceDate.bitPattern)
    }
    if isDivided { mark |= inParts }
    let head = Head(
      mark: mark.littleEndian, keyLength: UInt32(keyLength).littleEndian, deadline: deadline.littleEndian,
      order: order.littleEndian)
    bytes.storeBytes(of: head, as: Head.self)
    if let key { bytes.part(headSize...).copyMemory(from: key) }
    value.withUnsafeBytes { bytes.part((headSize + keyLength)...).copyMemory(from: $0) }
  }

  /// The error for a stored value that is not a record of Strata.
  static var foreign: StorageError {
    .malformedFileAttributes.with(
      "the stored record is not an entry of Strata: it is damaged, or was written by another program; "
        + "remove it, or store the entry again")
  }
}
