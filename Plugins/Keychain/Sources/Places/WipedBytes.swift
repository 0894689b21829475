internal import CSodium

/// Bytes that are overwritten when they go out of scope: where a secret stands only on its way.
struct WipedBytes: ~Copyable {
  let buffer: UnsafeMutableRawBufferPointer

  /// Zeros.
  init(_ count: Int) {
    buffer = .allocate(byteCount: count, alignment: 8)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Overwrites bytes in a way that no compiler leaves out.
  static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
  }

  deinit {
    Self.wipe(buffer)
    buffer.deallocate()
  }
}
