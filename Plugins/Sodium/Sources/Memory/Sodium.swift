internal import CSodium
import StrataCore

/// The libsodium library, which must be initialized before its first use.
enum Sodium {
  /// Initializes the library; later calls are cheap. Every type that holds a key calls this, and nothing is encrypted
  /// without a key.
  static func start() throws {
    guard status >= 0 else {
      throw StorageError.backendFailed.with(
        "libsodium could not be initialized: the system provides no random numbers, or memory cannot be protected"
      )
    }
  }

  private static let status = sodium_init()

  /// Fills memory with random bytes from the system's generator.
  static func randomize(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { randombytes_buf(start, bytes.count) }
  }
}
