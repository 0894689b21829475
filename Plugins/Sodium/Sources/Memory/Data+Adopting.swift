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

extension UnsafeMutableRawBufferPointer {
  /// Returns uninitialized memory that `Data(adopting:)` takes over once it is written, without a copy.
  static func allocateForData(_ count: Int) -> UnsafeMutableRawBufferPointer {
    // At least one byte, so that there is an address.
    guard let start = malloc(Swift.max(count, 1)) else {
      preconditionFailure("no memory for \(count) bytes")
    }
    return UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  func freeUnusedData() { free(baseAddress) }
}

extension Data {
  /// Takes over memory of `allocateForData` without a copy, and frees it with the data.
  init(adopting memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, !memory.isEmpty else {
      memory.freeUnusedData()
      self.init()
      return
    }
    self.init(bytesNoCopy: start, count: memory.count, deallocator: .free)
  }
}
