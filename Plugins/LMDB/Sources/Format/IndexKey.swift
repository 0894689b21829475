#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys of the two indexes, which sort as the numbers in them do.
///
/// The index of deadlines has a key of 8 bytes deadline and the record's key, and empty values. The index of the order
/// of writing has a key of 8 bytes place, and the record's key as the value. Both numbers are big-endian.
enum IndexKey {
  /// The bits of a deadline, so that a later one is the greater number. What is not a number counts as past.
  static func bits(of date: Date) -> UInt64 {
    let seconds = date.timeIntervalSinceReferenceDate
    if seconds.isNaN { return 0 }
    let bits = seconds.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// The deadline that has these bits.
  static func date(_ bits: UInt64) -> Date {
    let seconds = Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// The number at the beginning of an index key; `nil` if it is too short to be one.
  static func number(_ key: UnsafeRawBufferPointer) -> UInt64? {
    key.count < 8 ? nil : UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
  }

  /// The record's key in an index key of deadlines.
  static func recordKey(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: key[8...])
  }

  /// Calls `body` with a number and what follows it, as one key.
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
