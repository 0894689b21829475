#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import StrataCore

/// The reusable buffer of a context, for output whose size is known only afterwards. Larger output gets a separate
/// buffer.
///
/// Unchecked: the buffer belongs to the context, which one thread uses at a time.
package final class OutputBuffer: @unchecked Sendable {
  /// Large enough for most values, small enough to keep.
  package static let size = 64 << 10

  package var memory: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start, count: Self.size)
  }
  private let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)

  package init() {}

  deinit { start.deallocate() }

  /// Returns the bytes that `body` writes, at most `capacity`. `body` returns their number, or `nil` for no result.
  package func data(
    capacity: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Int?
  ) throws -> Data? {
    if capacity <= Self.size {
      let count = try body(memory.part(..<capacity))
      return count.map { Data(bytes: start, count: $0) }
    }
    guard let start = malloc(capacity) else {
      throw StorageError.transformerFail.with("there is no memory for \(capacity) bytes")
    }
    do {
      guard let count = try body(UnsafeMutableRawBufferPointer(start: start, count: capacity)) else {
        free(start)
        return nil
      }
      // Frees the unused part.
      return Data(bytesNoCopy: realloc(start, max(count, 1)) ?? start, count: count, deallocator: .free)
    } catch {
      free(start)
      throw error
    }
  }
}
