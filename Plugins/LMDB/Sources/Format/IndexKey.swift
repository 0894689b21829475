#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys of the two indexes, sorted by their numbers.
///
/// The expiry index has keys of 8 bytes deadline and the record's key, with empty values. The write-order index has
/// keys of 8 bytes sequence number, with the record's key as the value. Both numbers are big-endian.
enum IndexKey {
  static let numberSize = 8

  /// Returns the bits of a deadline, ordered so that a later deadline is a greater number. NaN counts as past.
  static func bits(of date: Date) -> UInt64 {
    let seconds = date.timeIntervalSinceReferenceDate
    if seconds.isNaN { return 0 }
    let bits = seconds.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// Returns the number at the beginning of an index key; 0 for a key that is too short to have one.
  static func number(_ key: UnsafeRawBufferPointer) -> UInt64 {
    key.count < numberSize ? 0 : UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
  }

  /// Calls `body` with an index key: a number, followed by `rest`.
  static func with<R>(
    _ number: UInt64, _ rest: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    try withUnsafeTemporaryAllocation(byteCount: numberSize + rest.count, alignment: 8) { key in
      key.storeBytes(of: number.bigEndian, as: UInt64.self)
      UnsafeMutableRawBufferPointer(rebasing: key[numberSize...]).copyMemory(from: rest)
      return try body(UnsafeRawBufferPointer(key))
    }
  }
}
