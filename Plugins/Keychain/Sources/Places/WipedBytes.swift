internal import CSodium

/// Temporary memory for a secret, overwritten when it goes out of scope.
struct WipedBytes: ~Copyable {
  let buffer: UnsafeMutableRawBufferPointer

  /// Allocates `count` zeros.
  init(_ count: Int) {
    buffer = .allocate(byteCount: count, alignment: 8)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Overwrites bytes in a way that the compiler cannot optimize away.
  static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
  }

  deinit {
    Self.wipe(buffer)
    buffer.deallocate()
  }
}
