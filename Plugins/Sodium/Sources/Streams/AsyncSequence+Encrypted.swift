#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AsyncSequence where Element == Data {
  /// The pieces of a text, encrypted as a stream: for values that are too large to be held at once.
  ///
  /// Pieces may have any size; those that come out have others. It holds one chunk of 64 kB. A `SecretKey` alone is
  /// `KeyRing(key)`.
  public func encrypted(with ring: KeyRing, for identity: EntryIdentity = .none) -> EncryptedChunks<Self> {
    EncryptedChunks(base: self, ring: ring, identity: identity)
  }

  /// The text of an encrypted stream that comes in pieces of any size.
  ///
  /// Each piece that comes out is authentic, and follows on the one before. Only when the sequence ends without an
  /// error was it all: if the stream was damaged or cut short, `EncryptorError.failedToDecrypt` is thrown after the
  /// pieces before that place. So do nothing with them that cannot be undone.
  public func decrypted(with ring: KeyRing, for identity: EntryIdentity = .none) -> DecryptedChunks<Self> {
    DecryptedChunks(base: self, ring: ring, identity: identity)
  }
}

/// The pieces of an encrypted stream.
public struct EncryptedChunks<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
  let base: Base
  let ring: KeyRing
  let identity: EntryIdentity

  /// Makes the stream, piece by piece.
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

    /// The next piece, or `nil` after the last; throws what the text throws.
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

  /// Begins a stream of its own.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// The pieces of the text of an encrypted stream.
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

    /// The next piece, or `nil` after the last; throws `EncryptorError.failedToDecrypt`, and what the stream throws.
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

  /// Begins at the start of the stream.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension EncryptedChunks: Sendable where Base: Sendable {}
extension DecryptedChunks: Sendable where Base: Sendable {}
