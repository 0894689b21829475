#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A large buffer in pages of its own (`Pages`).
///
/// glibc maps a large allocation itself only until the first one has been freed. Later ones are part of the heap of
/// their thread, and each heap then keeps several megabytes for itself: with parts of 5 MiB that pass through several
/// threads, ten times the memory that is used.
///
/// Unchecked: the owner uses it under a lock. The bytes of the returned data are only read.
package final class PageBuffer: @unchecked Sendable {
  private let pages = Pages.shared
  private let piece: Pages.Piece
  private var isTaken = false
  package private(set) var count = 0

  /// Creates a buffer. Throws if the system has no memory for it.
  ///
  /// - Parameter isFilled: whether all of it will be used, so that the system can provide its pages at once.
  package init(capacity: Int, isFilled: Bool = false) throws {
    piece = try pages.take(max(capacity, 1), isFilled: isFilled)
  }

  deinit { if !isTaken { pages.give(piece) } }

  /// Appends the bytes that fit, and returns their number.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let fitting = isTaken ? 0 : min(bytes.count, piece.count - count)
    if let start = bytes.baseAddress {
      piece.base.advanced(by: count).copyMemory(from: start, byteCount: fitting)
    }
    count += fitting
    return fitting
  }

  /// Returns a copy of at most `length` bytes from an offset on; `nil` if the bytes have been taken.
  package func bytes(at offset: Int, count length: Int) -> Data? {
    if isTaken { return nil }
    let start = min(offset, count)
    return Data(bytes: piece.base.advanced(by: start), count: min(length, count - start))
  }

  /// Returns the bytes without copying them. The pages are given back with the data; the buffer is full from now on.
  package func take() -> Data {
    precondition(!isTaken, "the bytes of a buffer can be taken once")
    isTaken = true
    return pages.data(0..<count, in: piece)
  }
}
