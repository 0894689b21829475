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
  /// Memory to be filled and made into `Data`: written once, not cleared first and not copied.
  static func allocateForData(_ count: Int) -> UnsafeMutableRawBufferPointer {
    // Never empty, so that there is an address.
    guard let start = malloc(Swift.max(count, 1)) else {
      preconditionFailure("no memory for \(count) bytes")
    }
    return UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  func freeUnusedData() { free(baseAddress) }
}

extension Data {
  /// Makes filled memory of `allocateForData` into data, which frees it.
  init(adopting memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, !memory.isEmpty else {
      memory.freeUnusedData()
      self.init()
      return
    }
    self.init(bytesNoCopy: start, count: memory.count, deallocator: .free)
  }
}
