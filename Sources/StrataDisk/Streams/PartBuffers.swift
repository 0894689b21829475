#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataEngines

/// Memory for the parts of a stream, which is used again when a reader releases a part: memory that the system has just
/// provided takes as long to fill as the file takes to read.
final class PartBuffers: Sendable {
  /// Free memory.
  ///
  /// Unchecked: nothing else refers to the memory while it is in the list, which a lock protects.
  private struct Free: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
    let count: Int
  }

  private static let mostFree = 4
  private let free = Locked<[Free]>([])

  deinit { for item in free.withLock({ $0 }) { item.memory.deallocate() } }

  /// Returns memory for a number of bytes, with any contents.
  func take(_ count: Int) -> UnsafeMutableRawPointer {
    let item = free.withLock { $0.popLast() }
    if let item, item.count == count { return item.memory }
    item?.memory.deallocate()
    return .allocate(byteCount: count, alignment: 4096)
  }

  /// Gives back memory of a number of bytes.
  func give(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    let item = Free(memory: memory, count: count)
    let isKept = free.withLock { free in
      if free.count >= Self.mostFree { return false }
      free.append(item)
      return true
    }
    if !isKept { memory.deallocate() }
  }
}
