internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encrypts a text that comes in pieces of any size. It holds a chunk of it, and no more.
final class StreamEncryptor {
  private let state: StreamState
  /// Taken into the first chunk, and `nil` from then on: each chunk is bound to those before it.
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

  /// Takes in a piece; returns what can be written of it.
  func append(_ piece: Data) -> Data {
    var written = takePrologue()
    pending.append(piece)
    // A full chunk waits for the next byte: it may be the last.
    guard pending.count > StreamFormat.chunkSize else { return written }
    while pending.count > StreamFormat.chunkSize {
      written.append(push(pending.prefix(StreamFormat.chunkSize), StreamFormat.message))
      pending = pending.dropFirst(StreamFormat.chunkSize)
    }
    pending = Data(pending)
    return written
  }

  /// Ends the text; returns what is still to be written.
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
        // Fails only for chunks larger than these can be.
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
