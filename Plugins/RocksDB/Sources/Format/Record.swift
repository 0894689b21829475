#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The record of an entry.
///
/// | bytes | content                                                                                 |
/// |-------|-----------------------------------------------------------------------------------------|
/// | 0     | 0: never expires; 1: expires                                                            |
/// | 1–8   | only if it expires: the bits of an IEEE double, little-endian, seconds since 2001-01-01 00:00 UTC |
/// | rest  | the value                                                                               |
///
/// So a date is restored with the same bits. RocksDB adds checksums.
enum Record {
  /// The error for a record of another program in the same family.
  struct Foreign: Error {}

  /// Throws if a key or a record is too long for RocksDB, which would not report it in a batch.
  static func checkSize(key: Int, value: Int) throws(LimitExceeded) {
    let limit = Int(UInt32.max) - RecordKey.deadlineHead - 9
    if max(key, value) > limit { throw LimitExceeded(size: max(key, value), limit: limit) }
  }

  /// The maximum size of a record that is copied together: small enough for the stack, and quick to copy.
  static let joinedSize = 64 << 10

  /// Passes the bytes before a value to `body`. The expiry must be resolved.
  static func withHead<R>(_ expiry: Expiry, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { room in
      guard case .date(let date) = expiry else {
        room[0] = 0
        return try body(UnsafeRawBufferPointer(rebasing: room[..<1]))
      }
      room[0] = 1
      room.storeBytes(
        of: date.timeIntervalSinceReferenceDate.bitPattern.littleEndian, toByteOffset: 1, as: UInt64.self)
      return try body(UnsafeRawBufferPointer(room))
    }
  }

  /// Passes a record, joined from a head and a value, to `body`.
  static func withJoined<R>(
    _ head: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try withUnsafeTemporaryAllocation(byteCount: head.count + value.count, alignment: 1) { room in
      room.copyMemory(from: head)
      UnsafeMutableRawBufferPointer(rebasing: room[head.count...]).copyMemory(from: value)
      return try body(UnsafeRawBufferPointer(room))
    }
  }

  /// Returns the expiry and the value of a record. Throws if the record is another program's.
  static func read(_ record: UnsafeRawBufferPointer) throws(Foreign) -> (
    expiry: Expiry, value: UnsafeRawBufferPointer
  ) {
    guard let parts = parse(record) else { throw Foreign() }
    return parts
  }

  /// Returns the expiry and the value of a record, or `nil` if the record is another program's.
  static func parse(_ record: UnsafeRawBufferPointer) -> (expiry: Expiry, value: UnsafeRawBufferPointer)? {
    switch record.first {
    case 0: return (.never, UnsafeRawBufferPointer(rebasing: record[1...]))
    case 1 where record.count >= 9:
      let bits = UInt64(littleEndian: record.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
      let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
      return (.date(date), UnsafeRawBufferPointer(rebasing: record[9...]))
    default: return nil
    }
  }
}
