package import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system keeps in memory of files.
package enum PageCache {
  /// Whether the file system of the tests tells what it has in memory. Found out without a store: what the stores make
  /// of it is what is tested.
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

  /// Makes the system forget the files of a folder, so that they have to come from the disk.
  package static func drop(_ folder: URL) throws {
    #if !canImport(Darwin)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let file = open(folder.appending(path: name).path, O_RDONLY)
        defer { close(file) }
        // Only what is on the disk already can be forgotten.
        fdatasync(file)
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
      }
    #endif
  }
}
