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

/// Bytes in memory of their own: never swapped out, not part of a core dump, between two pages that nobody may touch, and
/// wiped when the last owner lets go.
///
/// Each takes at least one page of what the system lets a process lock (`ulimit -l`), and four of address space.
///
/// Unchecked: the memory is written while `init` runs, before anybody else knows of it, and only read afterwards.
package final class LockedBytes: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  package let count: Int

  /// Memory that `fill` writes. Throws what `fill` throws, and `.backendFailed` where no more memory can be locked.
  package init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    try Sodium.start()
    guard let start = sodium_malloc(max(count, 1)) else { throw Self.failure("allocate", count) }
    // To lock what is locked changes nothing. The library itself goes on with memory that it could not lock.
    guard sodium_mlock(start, max(count, 1)) == 0 else {
      let failure = Self.failure("lock", count)
      sodium_free(start)
      throw failure
    }
    self.start = start
    self.count = count
    // From here on all is initialised, so that `deinit` wipes what `fill` leaves behind when it throws.
    try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    sodium_mprotect_readonly(start)
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

extension UnsafeRawBufferPointer {
  /// The address as the library wants it; `nil` where there are no bytes.
  var sodiumBytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  /// The address as the library wants it; `nil` where there are no bytes.
  var sodiumBytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
