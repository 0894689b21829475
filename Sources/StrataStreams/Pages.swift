#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import StrataSupport

/// The memory of large buffers, in pages of its own. It is used again by buffers of the same size, and returns to the
/// system with the last reference to this object.
///
/// Memory that the system has just provided takes as long to fill as a file takes to read. The allocator would keep
/// some of it for each thread.
package final class Pages: Sendable {
  /// A piece of memory.
  ///
  /// Unchecked: its one owner passes it on, and uses it no more.
  package final class Piece: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let count: Int

    fileprivate init(_ count: Int, isFilled: Bool) throws {
      #if canImport(Glibc)
        let populate = isFilled ? MAP_POPULATE : 0
      #else
        let populate: CInt = 0
      #endif
      let base = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0)
      guard let base, base != MAP_FAILED else {
        throw StorageError.backendFailed.with("the system has no memory for a part of \(count) bytes")
      }
      (self.base, self.count) = (base, count)
    }

    deinit { munmap(base, count) }
  }

  private struct Shared { weak var pages: Pages? }

  private static let mostFree = 2
  private static let current = Locked(Shared())
  private let free = Locked<[Piece]>([])

  package init() {}

  /// The memory that all transfers of the process share, as long as there are any.
  package static var shared: Pages {
    current.withLock { current in
      let pages = current.pages ?? Pages()
      current.pages = pages
      return pages
    }
  }

  /// Returns memory. Throws if the system has none.
  ///
  /// - Parameter isFilled: whether all of it will be used, so that the system can provide its pages at once.
  package func take(_ count: Int, isFilled: Bool = false) throws -> Piece {
    let known = free.withLock { free in
      free.lastIndex { $0.count == count }.map { free.remove(at: $0) }
    }
    return try known ?? Piece(count, isFilled: isFilled)
  }

  /// Takes memory back.
  package func give(_ piece: Piece) {
    // The oldest piece is released after the lock.
    _ = free.withLock { free in
      free.append(piece)
      return free.count > Self.mostFree ? free.removeFirst() : nil
    }
  }

  /// Returns bytes of a piece without copying them. The piece is given back with the data.
  package func data(_ range: Range<Int>, in piece: Piece) -> Data {
    Data(
      bytesNoCopy: piece.base + range.lowerBound, count: range.count,
      deallocator: .custom { [self] _, _ in give(piece) })
  }

  /// Returns bytes that are read into memory of this object.
  ///
  /// - Parameters:
  ///   - count: how many bytes are read.
  ///   - size: the size of the memory: that of the longest part of a stream, so that all parts can use it.
  ///   - wanted: which of the bytes are returned.
  ///   - read: reads the bytes.
  package func data(
    _ count: Int, of size: Int, wanted: Range<Int>, _ read: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> Data {
    let piece = try take(size)
    do { try read(UnsafeMutableRawBufferPointer(start: piece.base, count: count)) } catch {
      give(piece)
      throw error
    }
    return data(wanted, in: piece)
  }
}
