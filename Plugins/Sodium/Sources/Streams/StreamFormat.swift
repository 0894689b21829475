internal import CSodium

/// The wire format of a stream: the head, the header of the library, then chunks, the last of them marked as such.
enum StreamFormat {
  /// How many bytes of text each chunk has but the last, which may have fewer, or none.
  static let chunkSize = 64 << 10
  static let headerSize = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
  /// What stands before the first chunk.
  static let prologueSize = Envelope.headSize + headerSize
  /// How much longer an encrypted chunk is.
  static let chunkOverhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)

  static let message: UInt8 = 0
  /// The tag of the last chunk.
  static let final = UInt8(crypto_secretstream_xchacha20poly1305_tag_final())
}

/// The state of a stream, with the key that it goes on with: locked and wiped as any key.
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
