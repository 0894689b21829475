internal import CSodium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encrypts a text that arrives in pieces of any size. It buffers at most one chunk between calls.
final class StreamEncryptor {
  private let state: StreamState
  /// Additional data for the first chunk, then `nil`: each chunk is bound to the chunks before it.
  private var authenticated: [UInt8]?
  private var prologue: Data?
  private var pending = Data()

  init(key: SecretKey, for identity: EntryIdentity) throws {
    state = try StreamState()
    var prologue = Data(count: StreamFormat.prologueSize)
    prologue.withUnsafeMutableBytes { bytes in
      Envelope.writeHead(.stream, key.id, into: bytes)
      _ = key.bytes.withPointer { key in
        crypto_secretstream_xchacha20poly1305_init_push(
          state.pointer, bytes.sodiumStart + Envelope.headSize, key)
      }
    }
    authenticated = prologue + identity.bytes
    self.prologue = prologue
  }

  /// Takes the next piece. Returns the encrypted bytes that are complete.
  func append(_ piece: Data) -> Data {
    var written = takePrologue()
    pending.append(piece)
    // A full chunk is kept until more bytes follow: it may be the last.
    guard pending.count > StreamFormat.chunkSize else { return written }
    while pending.count > StreamFormat.chunkSize {
      written.append(push(pending.prefix(StreamFormat.chunkSize), StreamFormat.message))
      pending = pending.dropFirst(StreamFormat.chunkSize)
    }
    pending = Data(pending)
    return written
  }

  /// Ends the text. Returns the remaining encrypted bytes.
  func finish() -> Data {
    defer { pending = Data() }
    return takePrologue() + push(pending, StreamFormat.final)
  }

  private func takePrologue() -> Data {
    defer { prologue = nil }
    return prologue ?? Data()
  }

  private func push(_ text: Data, _ tag: UInt8) -> Data {
    let sealed = UnsafeMutableRawBufferPointer.allocateForData(text.count + StreamFormat.chunkOverhead)
    text.withUnsafeBytes { text in
      (authenticated ?? []).withUnsafeBytes { authenticated in
        // Fails only for larger chunks than the format allows.
        _ = crypto_secretstream_xchacha20poly1305_push(
          state.pointer, sealed.sodiumStart, nil, text.sodiumBytes, UInt64(text.count),
          authenticated.sodiumBytes,
          UInt64(authenticated.count), tag)
      }
    }
    authenticated = nil
    return Data(adopting: sealed)
  }
}
