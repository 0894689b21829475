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

/// Memory for the parts of a stream, which is used again when a reader releases a part: memory that the system has just
/// provided takes as long to fill as a file takes to read.
///
/// The memory comes from the system itself. The allocator would keep some for each thread that reads.
package final class PartBuffers: Sendable {
  /// Free memory.
  ///
  /// Unchecked: nothing else refers to the memory while it is in the list, which a lock protects.
  private struct Free: @unchecked Sendable { let memory: UnsafeMutableRawPointer }

  private static let mostFree = 4
  private let size: Int
  private let free = Locked<[Free]>([])

  /// - Parameter size: the bytes of the longest part.
  package init(size: Int) { self.size = size }

  deinit { for item in free.withLock({ $0 }) { munmap(item.memory, size) } }

  /// Returns bytes in memory of this object.
  ///
  /// - Parameters:
  ///   - count: how many bytes are read.
  ///   - wanted: which of them are returned.
  ///   - read: reads the bytes.
  package func data(
    _ count: Int, wanted: Range<Int>, _ read: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> Data {
    let memory = try take()
    do { try read(UnsafeMutableRawBufferPointer(start: memory, count: count)) } catch {
      give(memory)
      throw error
    }
    return Data(
      bytesNoCopy: memory + wanted.lowerBound, count: wanted.count,
      deallocator: .custom { [self] pointer, _ in give(pointer - wanted.lowerBound) })
  }

  private func take() throws -> UnsafeMutableRawPointer {
    if let item = free.withLock({ $0.popLast() }) { return item.memory }
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else {
      throw StorageError.backendFailed.with("the system has no memory for a part of \(size) bytes")
    }
    return memory
  }

  private func give(_ memory: UnsafeMutableRawPointer) {
    let item = Free(memory: memory)
    let isKept = free.withLock { free in
      if free.count >= Self.mostFree { return false }
      free.append(item)
      return true
    }
    if !isKept { munmap(memory, size) }
  }
}
