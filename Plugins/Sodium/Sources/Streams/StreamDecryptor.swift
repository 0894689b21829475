internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decrypts a stream that arrives in pieces of any size. Returned text is authentic; only `finish` verifies that it is
/// complete.
final class StreamDecryptor {
  private let ring: KeyRing
  private let identity: EntryIdentity
  private let state: StreamState
  /// Additional data for the first chunk. `nil` before the prologue was read and after the first chunk.
  private var authenticated: [UInt8]?
  private var hasBegun = false
  private var hasEnded = false
  private var pending = Data()

  init(ring: KeyRing, for identity: EntryIdentity) throws {
    self.ring = ring
    self.identity = identity
    state = try StreamState()
  }

  /// Takes the next piece. Returns the text of all chunks that are complete.
  func append(_ piece: Data) throws -> Data {
    pending.append(piece)
    if !hasBegun {
      guard pending.count >= StreamFormat.prologueSize else { return Data() }
      try begin()
    }
    var text = Data()
    let full = StreamFormat.chunkSize + StreamFormat.chunkOverhead
    if pending.count >= full, !hasEnded {
      while pending.count >= full, !hasEnded {
        text.append(try pull(pending.prefix(full)))
        pending = pending.dropFirst(full)
      }
      pending = Data(pending)
    }
    if hasEnded, !pending.isEmpty { throw Envelope.refusal("bytes follow the end of the stream") }
    return text
  }

  /// Ends the stream. Returns the text of the last chunk. Throws if the stream was truncated.
  func finish() throws -> Data {
    if hasEnded { return Data() }
    guard hasBegun else {
      // Throws the error that describes why the beginning is invalid.
      try pending.withUnsafeBytes { _ = try Self.keyID(of: $0) }
      return Data()
    }
    guard pending.count >= StreamFormat.chunkOverhead else { throw Self.cutShort }
    let text = try pull(pending)
    guard hasEnded else { throw Self.cutShort }
    return text
  }

  private func begin() throws {
    try pending.withUnsafeBytes { bytes in
      let key = try ring.key(Self.keyID(of: bytes))
      let status = key.bytes.withPointer { key in
        crypto_secretstream_xchacha20poly1305_init_pull(
          state.pointer, bytes.sodiumStart + Envelope.headSize, key)
      }
      guard status == 0 else { throw Envelope.forged() }
    }
    authenticated = pending.prefix(StreamFormat.prologueSize) + identity.bytes
    pending = pending.dropFirst(StreamFormat.prologueSize)
    hasBegun = true
  }

  private func pull(_ chunk: Data) throws -> Data {
    let text = UnsafeMutableRawBufferPointer.allocateForData(chunk.count - StreamFormat.chunkOverhead)
    var tag: UInt8 = 0
    let status = chunk.withUnsafeBytes { chunk in
      (authenticated ?? []).withUnsafeBytes { authenticated in
        crypto_secretstream_xchacha20poly1305_pull(
          state.pointer, text.sodiumBytes, nil, &tag, chunk.sodiumStart, UInt64(chunk.count),
          authenticated.sodiumBytes,
          UInt64(authenticated.count))
      }
    }
    guard status == 0 else {
      text.freeUnusedData()
      throw Envelope.forged()
    }
    authenticated = nil
    hasEnded = tag == StreamFormat.final
    return Data(adopting: text)
  }

  private static func keyID(of bytes: UnsafeRawBufferPointer) throws -> KeyID {
    try Envelope.keyID(of: bytes, .stream, atLeast: StreamFormat.prologueSize)
  }

  private static var cutShort: EncryptorError {
    Envelope.refusal("the stream is truncated, or its end is damaged")
  }
}
