internal import CSodium

/// The wire format of a stream: the head, libsodium's header, then chunks. The last chunk has a final tag.
enum StreamFormat {
  /// The number of bytes of text of each chunk. The last may have fewer, or none.
  static let chunkSize = 64 << 10
  static let headerSize = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
  /// The number of bytes before the first chunk.
  static let prologueSize = Envelope.headSize + headerSize
  /// The number of bytes that encryption adds to a chunk.
  static let chunkOverhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)

  static let message: UInt8 = 0
  /// The tag of the last chunk.
  static let final = UInt8(crypto_secretstream_xchacha20poly1305_tag_final())
}

/// The state of a stream, which contains its current key: locked and wiped like any key.
final class StreamState {
  private let start: UnsafeMutableRawPointer

  init() throws {
    start = try LockedBytes.allocate(MemoryLayout<crypto_secretstream_xchacha20poly1305_state>.size)
  }

  deinit { sodium_free(start) }

  var pointer: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state> {
    start.assumingMemoryBound(to: crypto_secretstream_xchacha20poly1305_state.self)
  }
}
