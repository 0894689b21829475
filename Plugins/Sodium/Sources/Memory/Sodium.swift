internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The library itself, which must be started before its first use.
enum Sodium {
  /// Cheap after the first call. All that holds a key calls it, and nothing is encrypted without a key.
  static func start() throws {
    guard status >= 0 else {
      throw StorageError.backendFailed.with(
        "libsodium could not start: the system gives it no random numbers, or its memory cannot be protected")
    }
  }

  private static let status = sodium_init()

  /// Fills memory with random bytes from the system's generator.
  static func randomize(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { randombytes_buf(start, bytes.count) }
  }
}
