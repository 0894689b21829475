import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system's page cache.
package enum PageCache {
  /// Whether the file system of the tests reports which bytes are in the page cache. Determined without a store, since
  /// the tests check how stores use this information.
  package static let canTell: Bool = {
    #if canImport(Darwin)
      return false
    #else
      typealias Read = @convention(c) (CInt, UnsafePointer<iovec>?, CInt, Int64, CInt) -> Int
      guard let function = dlsym(nil, "preadv64v2") else { return false }
      let path = TemporaryFolder().url.appending(path: "file").path
      let file = open(path, O_RDWR | O_CREAT, 0o600)
      defer { close(file) }
      var byte: UInt8 = 1
      guard write(file, &byte, 1) == 1 else { return false }
      return withUnsafeMutableBytes(of: &byte) { byte in
        var vector = iovec(iov_base: byte.baseAddress, iov_len: 1)
        return unsafeBitCast(function, to: Read.self)(file, &vector, 1, 0, 8) == 1
      }
    #endif
  }()
}
