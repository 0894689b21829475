#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AsyncSequence where Element == Data {
  /// Returns the text of this sequence, encrypted as a stream: for values too large to be held in memory.
  ///
  /// Pieces may have any size; the sizes of the encrypted pieces differ from them. One chunk of 64 kB is buffered. To
  /// use a single `SecretKey`, pass `KeyRing(key)`.
  public func encrypted(with ring: KeyRing, for identity: EntryIdentity = .none) -> EncryptedChunks<Self> {
    EncryptedChunks(base: self, ring: ring, identity: identity)
  }

  /// Returns the decrypted text of an encrypted stream that arrives in pieces of any size.
  ///
  /// Each returned piece is authentic and follows the previous one. The text is complete only when the sequence ends
  /// without an error. If the stream was damaged or truncated, `EncryptorError.failedToDecrypt` is thrown after the
  /// pieces before that point. Until the end, use the pieces only in ways that can be undone.
  public func decrypted(with ring: KeyRing, for identity: EntryIdentity = .none) -> DecryptedChunks<Self> {
    DecryptedChunks(base: self, ring: ring, identity: identity)
  }
}

/// The pieces of an encrypted stream.
///
/// ```swift
/// for try await piece in file.encrypted(with: ring, for: "backup") { try output.write(contentsOf: piece) }
/// ```
public struct EncryptedChunks<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
  let base: Base
  let ring: KeyRing
  let identity: EntryIdentity

  /// Encrypts the stream, piece by piece.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate let ring: KeyRing
    fileprivate let identity: EntryIdentity
    private var encryptor: StreamEncryptor?
    private var hasEnded = false

    fileprivate init(_ sequence: EncryptedChunks) {
      base = sequence.base.makeAsyncIterator()
      ring = sequence.ring
      identity = sequence.identity
    }

    /// Returns the next piece, or `nil` after the last. Rethrows errors of the base sequence.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
      if hasEnded { return nil }
      let encryptor = try encryptor ?? StreamEncryptor(key: ring.newest, for: identity)
      self.encryptor = encryptor
      while let piece = try await base.next(isolation: actor) {
        let written = encryptor.append(piece)
        if !written.isEmpty { return written }
      }
      hasEnded = true
      return encryptor.finish()
    }
  }

  /// Creates an iterator that begins a new stream.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// The pieces of the text of an encrypted stream.
///
/// ```swift
/// for try await piece in file.decrypted(with: ring, for: "backup") { try output.write(contentsOf: piece) }
/// ```
public struct DecryptedChunks<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
  let base: Base
  let ring: KeyRing
  let identity: EntryIdentity

  /// Decrypts the stream, piece by piece.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate let ring: KeyRing
    fileprivate let identity: EntryIdentity
    private var decryptor: StreamDecryptor?
    private var hasEnded = false

    fileprivate init(_ sequence: DecryptedChunks) {
      base = sequence.base.makeAsyncIterator()
      ring = sequence.ring
      identity = sequence.identity
    }

    /// Returns the next piece, or `nil` after the last. Throws `EncryptorError.failedToDecrypt`, and rethrows errors of
    /// the base sequence.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
      if hasEnded { return nil }
      let decryptor = try decryptor ?? StreamDecryptor(ring: ring, for: identity)
      self.decryptor = decryptor
      while let piece = try await base.next(isolation: actor) {
        let text = try decryptor.append(piece)
        if !text.isEmpty { return text }
      }
      hasEnded = true
      let last = try decryptor.finish()
      return last.isEmpty ? nil : last
    }
  }

  /// Creates an iterator at the start of the stream.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension EncryptedChunks: Sendable where Base: Sendable {}
extension DecryptedChunks: Sendable where Base: Sendable {}
