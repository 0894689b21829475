import Foundation
import StrataSodium
import TestSupport
import Testing

/// Another tool reads and writes the wire format as the README describes it.
@Suite(.endsInTime) struct VectorTests {
  /// One value, plain and encrypted, in the format of the file and of the program in Python.
  struct Vector: Codable, Sendable {
    var action: String
    var method: String
    var key: String
    var identity: String?
    var domain: String?
    var entry: String?
    var plain: String?
    var sealed: String?
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

  private static func stored() throws -> [Vector] {
    try JSONDecoder().decode(
      [Vector].self, from: Data(contentsOf: folder.appending(path: "vectors.json")))
  }

  @Test func valuesOfEarlierVersionsCanBeRead() async throws {
    let vectors = try Self.stored()
    #expect(vectors.count == 33)
    for vector in vectors {
      #expect(try await decrypted(vector)?.hex == vector.plain, "\(vector)")
    }
  }

  // MARK: PyNaCl

  private static let hasPyNaCl = Python.has("nacl")

  private static func answers(_ vectors: [Vector]) async throws -> [Vector] {
    let input = try JSONEncoder().encode(vectors)
    let (end, printed) = try await onThread {
      try Program.run([Python.path, folder.appending(path: "sodium_format.py").path], input: input)
    }
    guard end == .exit(0) else { throw PythonFailed(said: String(decoding: printed, as: UTF8.self)) }
    return try JSONDecoder().decode([Vector].self, from: printed)
  }

  private struct PythonFailed: Error { let said: String }

  /// Values of all methods and identities, of sizes below one chunk, of exact chunks, and between chunks.
  private static var samples: [Vector] {
    let key = noise(32, seed: 9).hex
    var samples: [Vector] = []
    for method in ["secret key", "sealed box", "stream"] {
      for size in method == "stream" ? [0, 100, 65536, 131_073] : [0, 100, 10_000] {
        let plain = noise(size, seed: UInt64(size)).hex
        samples += [
          Vector(action: "encrypt", method: method, key: key, plain: plain),
          Vector(action: "encrypt", method: method, key: key, identity: "caf\u{E9}", plain: plain),
        ]
        if method != "stream" {
          samples.append(
            Vector(
              action: "encrypt", method: method, key: key, domain: "caf\u{E9}", entry: "a/b", plain: plain))
        }
      }
    }
    return samples
  }

  @Test(.enabled(if: hasPyNaCl, "python3-nacl is not installed"))
  func whatPyNaClWritesIsRead() async throws {
    for vector in try await Self.answers(Self.samples) {
      #expect(try await decrypted(vector)?.hex == vector.plain)
    }
  }

  @Test(.enabled(if: hasPyNaCl, "python3-nacl is not installed"))
  func whatIsWrittenPyNaClReads() async throws {
    var written: [Vector] = []
    for var vector in Self.samples {
      vector.sealed = try await encrypted(vector).hex
      vector.action = "decrypt"
      written.append(vector)
    }
    let plain = written.map(\.plain)
    for index in written.indices { written[index].plain = nil }
    #expect(try await Self.answers(written).map(\.plain) == plain)
    // The other tool also refuses damaged values, which shows that it authenticates them.
    for index in written.indices {
      var damaged = Data(hex: written[index].sealed ?? "")
      damaged[damaged.count - 1] ^= 1
      written[index].sealed = damaged.hex
    }
    #expect(try await Self.answers(written).allSatisfy { $0.plain == nil })
  }

  // MARK: The library's results for a vector

  private func encrypted(_ vector: Vector) async throws -> Data {
    let plain = Data(hex: vector.plain ?? "")
    if let domain = vector.domain {
      let bytes = DictionaryStorage<String, Data>()
      try blocking {
        try encrypting(bytes, vector, domain).setObject(plain, forKey: vector.entry ?? "", expiry: nil)
      }
      return try #require(bytes.objects[vector.entry ?? ""])
    }
    if vector.method == "stream" {
      return try await one(plain).encrypted(with: KeyRing(secretKey(vector)), for: identity(vector))
        .reduce(into: Data()) { $0 += $1 }
    }
    return try cipher(vector).encrypt(plain, for: identity(vector))
  }

  private func decrypted(_ vector: Vector) async throws -> Data? {
    let sealed = Data(hex: vector.sealed ?? "")
    if let domain = vector.domain {
      let bytes = DictionaryStorage<String, Data>([vector.entry ?? "": sealed])
      return try blocking {
        try encrypting(bytes, vector, domain).entryIfPresent(forKey: vector.entry ?? "")?.object
      }
    }
    if vector.method == "stream" {
      return try await one(sealed).decrypted(with: KeyRing(secretKey(vector)), for: identity(vector))
        .reduce(into: Data()) { $0 += $1 }
    }
    return try cipher(vector).decrypt(sealed, for: identity(vector))
  }

  private func encrypting(_ bytes: DictionaryStorage<String, Data>, _ vector: Vector, _ domain: String) throws
    -> any SyncStorageAware<String, Data>
  {
    if vector.method == "sealed box" {
      return try bytes.encrypted(with: KeyPair(secretKey(vector)), domain: domain)
    }
    return try bytes.encrypted(with: secretKey(vector), domain: domain)
  }

  private func cipher(_ vector: Vector) throws -> any Cipher {
    vector.method == "sealed box" ? try KeyPair(secretKey(vector)) : try secretKey(vector)
  }

  private func secretKey(_ vector: Vector) throws -> SecretKey {
    try Data(hex: vector.key).withUnsafeBytes { try SecretKey(bytes: $0) }
  }

  private func identity(_ vector: Vector) -> EntryIdentity {
    vector.identity.map { EntryIdentity($0) } ?? .none
  }

  private func one(_ data: Data) -> AsyncStream<Data> {
    AsyncStream { continuation in
      continuation.yield(data)
      continuation.finish()
    }
  }
}
