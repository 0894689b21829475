#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys of the two indexes, which sort by the numbers in them.
///
/// The expiry index has keys of 8 bytes deadline and the record's key, with empty values. The write-order index has
/// keys of 8 bytes sequence number, with the record's key as the value. Both numbers are big-endian.
enum IndexKey {
  /// Returns the bits of a deadline, ordered so that a later deadline is a greater number. NaN counts as past.
  static func bits(of date: Date) -> UInt64 {
    let seconds = date.timeIntervalSinceReferenceDate
    if seconds.isNaN { return 0 }
    let bits = seconds.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// Returns the deadline that has these bits.
  static func date(_ bits: UInt64) -> Date {
    let seconds = Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Returns the number at the beginning of an index key, or `nil` if the key is too short.
  static func number(_ key: UnsafeRawBufferPointer) -> UInt64? {
    key.count < 8 ? nil : UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
  }

  /// Returns the record's key in a key of the expiry index.
  static func recordKey(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: key[8...])
  }

  /// Calls `body` with an index key: a number, followed by `rest`.
  static func with<R>(
    _ number: UInt64, _ rest: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    try withUnsafeTemporaryAllocation(byteCount: 8 + rest.count, alignment: 8) { key in
      key.storeBytes(of: number.bigEndian, as: UInt64.self)
      UnsafeMutableRawBufferPointer(rebasing: key[8...]).copyMemory(from: rest)
      return try body(UnsafeRawBufferPointer(key))
    }
  }
}
