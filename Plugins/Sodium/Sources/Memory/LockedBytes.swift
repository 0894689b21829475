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

/// Bytes in memory that is never swapped out, excluded from core dumps, and placed between two inaccessible guard
/// pages. It is wiped when the last reference is released.
///
/// Each takes at least one page of the memory that the process may lock (`ulimit -l`), and four pages of address space.
///
/// Unchecked: the memory is written before any other thread can refer to it, and only read afterwards.
package final class LockedBytes: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  package let count: Int

  /// Creates memory that `fill` writes. Rethrows the error of `fill`. Throws `.backendFailed` if no more memory can be
  /// locked.
  package convenience init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    try self.init(count: count)
    // If `fill` throws, `deinit` wipes the bytes that it wrote.
    try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    sodium_mprotect_readonly(start)
  }

  /// Creates memory of a size that only `fill` knows. `fill` requests the memory at most once, and writes it.
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

  /// Returns locked memory, to be freed with `sodium_free`.
  static func allocate(_ count: Int) throws -> UnsafeMutableRawPointer {
    try Sodium.start()
    guard let start = sodium_malloc(max(count, 1)) else { throw failure("allocate", count) }
    // `sodium_malloc` ignores a failure to lock. Locking again is harmless, and reports the failure.
    guard sodium_mlock(start, max(count, 1)) == 0 else {
      let failure = failure("lock", count)
      sodium_free(start)
      throw failure
    }
    return start
  }

  /// Creates a copy of bytes. The caller is responsible for wiping the original.
  package convenience init(_ bytes: UnsafeRawBufferPointer) throws {
    try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  deinit { sodium_free(start) }

  /// Calls `body` with the bytes. Bytes copied out of `body` are neither locked nor wiped.
  package func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static func failure(_ verb: String, _ count: Int) -> StorageError {
    let code = errno
    return StorageError.backendFailed.with(
      "cannot \(verb) memory for a secret of \(count) bytes: the process may lock no more memory; keep fewer secrets at a "
        + "time, or raise the limit (`ulimit -l`, `LimitMEMLOCK=`)",
      cause: POSIXError.Code(rawValue: code).map { POSIXError($0) })
  }
}

extension LockedBytes {
  /// Calls `body` with the address of the memory, for functions of libsodium.
  func withPointer<R, E: Error>(_ body: (UnsafePointer<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(UnsafePointer(start.assumingMemoryBound(to: UInt8.self)))
  }
}
