internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Bytes in memory of their own: never swapped out, not part of a core dump, between two pages that nobody may touch,
/// and wiped when the last owner lets go.
///
/// Each takes at least one page of what the system lets a process lock (`ulimit -l`), and four of address space.
///
/// Unchecked: the memory is written while it is made, before anybody else knows of it, and only read afterwards.
package final class LockedBytes: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  package let count: Int

  /// Memory that `fill` writes. Throws what `fill` throws, and `.backendFailed` where no more memory can be locked.
  package convenience init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    try self.init(count: count)
    // `deinit` wipes what `fill` leaves behind when it throws.
    try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    sodium_mprotect_readonly(start)
  }

  /// Memory whose size `fill` knows: it asks for it once, and writes it.
  package static func filled(
    by fill: (_ memory: (_ count: Int) throws -> UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> LockedBytes {
    var made: LockedBytes?
    try fill { count in
      let bytes = try LockedBytes(count: count)
      made = bytes
      return UnsafeMutableRawBufferPointer(start: bytes.start, count: count)
    }
    guard let made else { return try LockedBytes(count: 0) }
    sodium_mprotect_readonly(made.start)
    return made
  }

  private init(count: Int) throws {
    start = try Self.allocate(count)
    self.count = count
  }

  /// Locked memory, to be freed by `sodium_free`.
  static func allocate(_ count: Int) throws -> UnsafeMutableRawPointer {
    try Sodium.start()
    guard let start = sodium_malloc(max(count, 1)) else { throw failure("allocate", count) }
    // To lock what is locked changes nothing. The library itself goes on with memory that it could not lock.
    guard sodium_mlock(start, max(count, 1)) == 0 else {
      let failure = failure("lock", count)
      sodium_free(start)
      throw failure
    }
    return start
  }

  /// A copy. The bytes that are given stay where they are: to wipe them is up to their owner.
  package convenience init(_ bytes: UnsafeRawBufferPointer) throws {
    try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  deinit { sodium_free(start) }

  /// Lends the bytes. What is copied out of here is neither locked nor wiped.
  package func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static func failure(_ verb: String, _ count: Int) -> StorageError {
    let code = errno
    return StorageError.backendFailed.with(
      "cannot \(verb) memory for a secret of \(count) bytes: the process may lock no more of it; keep fewer secrets at a "
        + "time, or raise the limit (`ulimit -l`, `LimitMEMLOCK=`)",
      cause: POSIXError.Code(rawValue: code).map { POSIXError($0) })
  }
}

extension LockedBytes {
  /// The address the memory is at, for the functions of the library.
  func withPointer<R, E: Error>(_ body: (UnsafePointer<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(UnsafePointer(start.assumingMemoryBound(to: UInt8.self)))
  }
}
