import Foundation
import StrataSodium
import TestSupport
import Testing

@Suite(.endsInTime) struct StreamTests {
  private static let chunk = 65536
  private let ring: KeyRing
  private let folder = TemporaryFolder().url

  init() throws { ring = KeyRing(try SecretKey()) }

  private func encrypted(_ text: Data, piece: Int = 1000, for identity: EntryIdentity = .none) async throws
    -> Data
  {
    try await pieces(text, piece).encrypted(with: ring, for: identity).reduce(into: Data()) { $0 += $1 }
  }

  private func decrypted(
    _ stream: Data, piece: Int = 1000, for identity: EntryIdentity = .none, with ring: KeyRing? = nil
  ) async throws -> Data {
    try await pieces(stream, piece).decrypted(with: ring ?? self.ring, for: identity).reduce(into: Data()) {
      $0 += $1
    }
  }

  @Test(
    arguments: [0, 1, 1000, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 17],
    [7000, 65536, 65553, 1_000_000])
  func whatIsEncryptedIsDecrypted(_ size: Int, _ piece: Int) async throws {
    let stream = try await encrypted(noise(size), piece: piece, for: "a")
    let chunks = max(1, (size + Self.chunk - 1) / Self.chunk)
    #expect(stream.count == 34 + size + 17 * chunks)
    #expect(try await decrypted(stream, piece: piece, for: "a") == noise(size))
  }

  @Test func aTruncatedStreamIsRefused() async throws {
    let text = noise(2 * Self.chunk + 5)
    let stream = try await encrypted(text)
    let ends =
      Array(0...60) + [Self.chunk, 34 + Self.chunk + 17, 34 + Self.chunk + 18, 34 + 2 * (Self.chunk + 17)]
      + Array(stream.count - 40..<stream.count)
    for end in ends {
      await #expect(throws: EncryptorError.failedToDecrypt, "\(end) bytes") {
        try await decrypted(stream.prefix(end), piece: 10_000)
      }
    }
    await #expect(throws: EncryptorError.failedToDecrypt) { try await decrypted(stream + [0]) }
    await #expect(throws: EncryptorError.failedToDecrypt) { try await decrypted(stream + stream) }
  }

  @Test func aStreamTruncatedAtAFullChunkIsRefused() async throws {
    let stream = try await encrypted(noise(2 * Self.chunk))
    for end in [34, 34 + Self.chunk + 17] {
      await #expect(throws: EncryptorError.failedToDecrypt) { try await decrypted(stream.prefix(end)) }
    }
    await #expect(throws: EncryptorError.failedToDecrypt) { try await decrypted(stream + noise(17)) }
  }

  @Test func anyChangedBitIsRefused() async throws {
    let stream = try await encrypted(noise(30), for: "a")
    for bit in 0..<stream.count * 8 {
      var damaged = stream
      damaged[bit / 8] ^= 1 << (bit % 8)
      await #expect(throws: EncryptorError.failedToDecrypt, "bit \(bit)") {
        try await decrypted(damaged, for: "a")
      }
    }
  }

  @Test func reorderedChunksAreRefused() async throws {
    let stream = try await encrypted(noise(3 * Self.chunk + 1))
    let starts = (0...3).map { 34 + $0 * (Self.chunk + 17) }
    let chunks = (0..<3).map { stream[starts[$0]..<starts[$0 + 1]] } + [stream[starts[3]...]]
    for order in [[1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3], [0, 0, 1, 2, 3], [0, 1, 2, 2, 3], [3]] {
      let mixed = order.reduce(into: Data(stream.prefix(34))) { $0 += chunks[$1] }
      await #expect(throws: EncryptorError.failedToDecrypt, "\(order)") { try await decrypted(mixed) }
    }
    #expect(
      try await decrypted(chunks.reduce(into: Data(stream.prefix(34))) { $0 += $1 })
        == noise(3 * Self.chunk + 1))
  }

  @Test func anotherIdentityAndAnotherKeyAreRefused() async throws {
    let stream = try await encrypted(noise(10), for: "a")
    for identity in [EntryIdentity.none, "b", ""] {
      await #expect(throws: EncryptorError.failedToDecrypt) { try await decrypted(stream, for: identity) }
    }
    let other = KeyRing(try SecretKey())
    let error = try await #require(throws: EncryptorError.self) {
      try await decrypted(stream, for: "a", with: other)
    }
    #expect(error.errorMessage.contains("\(ring.newest.id)"))
    #expect(try await decrypted(stream, for: "a", with: ring.rotated(adding: other.newest)) == noise(10))
  }

  @Test func aStreamIsNotAcceptedAsAValueNorAValueAsAStream() async throws {
    let stream = try await encrypted(noise(10))
    #expect(throws: EncryptorError.failedToDecrypt) { try ring.decrypt(stream) }
    let value = try ring.encrypt(noise(100))
    let error = try await #require(throws: EncryptorError.self) { try await decrypted(value) }
    #expect(error.errorMessage.contains("a value encrypted with a secret key"))
    await #expect(throws: EncryptorError.failedToDecrypt) { try await decrypted(Data("plain".utf8)) }
  }

  @Test func piecesBeforeTheDamageAreAuthentic() async throws {
    let text = noise(3 * Self.chunk)
    var stream = try await encrypted(text)
    stream[34 + Self.chunk + 17 + 100] ^= 1
    var seen = Data()
    await #expect(throws: EncryptorError.failedToDecrypt) {
      for try await piece in pieces(stream, 5000).decrypted(with: ring) { seen += piece }
    }
    #expect(seen == text.prefix(Self.chunk))
  }

  @Test func errorsOfTheBaseSequenceAreRethrown() async throws {
    let broken = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(noise(10))
      continuation.finish(throwing: Failure.first)
    }
    await #expect(throws: Failure.first) { for try await _ in broken.encrypted(with: ring) {} }
  }

  // MARK: Files

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  @Test(arguments: [0, 100, 65536, 300_000]) func filesAreEncryptedAndDecrypted(_ size: Int) async throws {
    try noise(size).write(to: folder.appending(path: "plain"))
    try ring.encryptFile(at: path("plain"), to: path("sealed"), for: "a")
    try ring.decryptFile(at: path("sealed"), to: path("again"), for: "a")
    #expect(try Data(contentsOf: folder.appending(path: "again")) == noise(size))
    #expect(try await decrypted(Data(contentsOf: folder.appending(path: "sealed")), for: "a") == noise(size))
    for name in ["sealed", "again"] {
      #expect(
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func aDamagedFileReplacesNothing() throws {
    try noise(200_000).write(to: folder.appending(path: "plain"))
    try ring.encryptFile(at: path("plain"), to: path("sealed"))
    var sealed = try Data(contentsOf: folder.appending(path: "sealed"))
    sealed.removeLast()
    try sealed.write(to: folder.appending(path: "sealed"))
    try Data("before".utf8).write(to: folder.appending(path: "target"))
    #expect(throws: EncryptorError.failedToDecrypt) {
      try ring.decryptFile(at: path("sealed"), to: path("target"))
    }
    #expect(try Data(contentsOf: folder.appending(path: "target")) == Data("before".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "plain", "sealed", "target",
      ])
  }

  @Test func aFileCanReplaceItself() throws {
    try noise(100_000).write(to: folder.appending(path: "file"))
    try ring.encryptFile(at: path("file"), to: path("file"))
    #expect(try Data(contentsOf: folder.appending(path: "file")).count == 100_000 + 34 + 34)
    try ring.decryptFile(at: path("file"), to: path("file"))
    #expect(try Data(contentsOf: folder.appending(path: "file")) == noise(100_000))
  }

  @Test func theErrorForAMissingFileNamesIt() {
    let error = #expect(throws: StorageError.self) { try ring.encryptFile(at: path("none"), to: path("x")) }
    #expect(error == .backendFailed)
    #expect(error?.place == path("none"))
    #expect(throws: StorageError.backendFailed) { try ring.encryptFile(at: folder.path, to: path("x")) }
    #expect(!FileManager.default.fileExists(atPath: path("x")))
  }
}

/// A text split into pieces.
private func pieces(_ text: Data, _ size: Int) -> AsyncStream<Data> {
  AsyncStream { continuation in
    for start in stride(from: text.startIndex, to: text.endIndex, by: size) {
      continuation.yield(text[start..<min(start + size, text.endIndex)])
    }
    continuation.finish()
  }
}
