internal import CSodium

/// Bytes that are overwritten when they go out of scope: where a secret stands only on its way.
struct WipedBytes: ~Copyable {
  let buffer: UnsafeMutableRawBufferPointer

  /// Zeros.
  init(_ count: Int) {
    buffer = .allocate(byteCount: count, alignment: 8)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
    buffer.deallocate()
  }
}
