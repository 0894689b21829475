import Foundation
import Strata
import StrataSodium
import TestSupport
import Testing

/// Ciphers as transformers of chains and encryptors of keychains.
@Suite(.endsInTime) struct TransformerTests {
  private static func ciphers() throws -> [any Cipher] {
    let key = try SecretKey()
    return [key, KeyRing(newest: try SecretKey(), older: [key]), try KeyPair()]
  }

  @Test func anyCipherIsAnEncryptor() async throws {
    for cipher in try Self.ciphers() {
      let encryptor = encryptor(cipher, for: "tokens/ada")
      let sealed = try await encryptor.encrypt(data: noise(100))
      #expect(sealed.range(of: noise(100)) == nil)
      #expect(try await encryptor.decrypt(data: sealed) == noise(100))
      await #expect(throws: EncryptorError.failedToDecrypt) {
        try await self.encryptor(cipher, for: "tokens/grace").decrypt(data: sealed)
      }
      await #expect(throws: EncryptorError.failedToDecrypt) { try await encryptor.decrypt(data: noise(100)) }
    }
  }

  private func encryptor(_ cipher: some Cipher, for identity: EntryIdentity) -> any Encryptor {
    SodiumEncryptor(cipher, for: identity)
  }

  @Test func anyCipherIsAStepOfATransformer() throws {
    for cipher in try Self.ciphers() {
      let words = Array(repeating: "needle", count: 1000)
      let plain = Transformer.codable([String].self)
      let sealed = try encrypted(plain, cipher, for: "a").toData(words)
      #expect(sealed.range(of: Data("needle".utf8)) == nil)
      #expect(try encrypted(plain, cipher, for: "a").fromData(sealed) == words)
      #expect(throws: EncryptorError.failedToDecrypt) {
        try encrypted(plain, cipher, for: "b").fromData(sealed)
      }
      #expect(throws: EncryptorError.failedToDecrypt) {
        try encrypted(plain, cipher, for: .none).fromData(sealed)
      }
      #expect(throws: EncryptorError.failedToDecrypt) {
        try encrypted(plain, cipher, for: "a").fromData(Data("[]".utf8))
      }
    }
  }

  private func encrypted(
    _ transformer: Transformer<[String]>, _ cipher: some Cipher, for identity: EntryIdentity
  )
    -> Transformer<[String]>
  {
    transformer.encrypted(with: cipher, for: identity)
  }

  @Test func compressionPrecedesEncryption() throws {
    let key = try SecretKey()
    let text = String(repeating: "needle", count: 1000)
    let plain = Transformer.codable(String.self)
    #expect(try plain.encrypted(with: key).toData(text).count == 6002 + 50)
    #expect(try plain.zlib().encrypted(with: key).toData(text).count < 150)
    #expect(
      try plain.zlib().encrypted(with: key).fromData(plain.zlib().encrypted(with: key).toData(text)) == text)
    // The reverse order does not shrink anything.
    #expect(try plain.encrypted(with: key).zlib().toData(text).count > 6000)
  }

  @Test func viewsWithDifferentKeysShareNoDecodedObject() throws {
    let store = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: DictionaryStorage<String, Data>(),
      transformer: Transformer.codable(Int.self).encrypted(with: try SecretKey()))
    try store.setObject(7, forKey: "a")
    #expect(try store.object(forKey: "a") == 7)
    // A view without the key must not read the object that another view decoded in memory.
    let stranger = store.transform(to: Transformer.codable(Int.self).encrypted(with: try SecretKey()))
    let error = try #require(throws: EncryptorError.self) { try stranger.object(forKey: "a") }
    #expect(error.key as? String == "a")
    #expect(throws: StorageError.typeNotMatch) {
      try store.transform(to: .codable(Int.self)).object(forKey: "a")
    }
    // A view as JSON uses the store's key, and encrypts its values.
    let view = store.transform(to: Int.self)
    #expect(try view.object(forKey: "a") == 7)
    try view.setObject(8, forKey: "b")
    let sealed = try store.transformData().object(forKey: "b")
    #expect(sealed != Data("8".utf8) && sealed.count > 32)
    #expect(try store.object(forKey: "b") == 8)
    #expect(try store.object(forKey: "a") == 7)
  }

  @Test func anErrorOfTheEncryptedStoreIsThrownByTheChain() async throws {
    let bytes = DictionaryStorage<String, Data>(["a": Data("7".utf8)])
    let store = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: bytes.encrypted(with: try SecretKey()),
      transformer: .codable(Int.self))
    let error = try blocking { try #require(throws: EncryptorError.self) { try store.object(forKey: "a") } }
    #expect(error == .failedToDecrypt)
    #expect(error.key as? String == "a")
    await #expect(throws: EncryptorError.failedToDecrypt) { try await store.async.object(forKey: "a") }
    #expect(bytes.objects["a"] == Data("7".utf8))
  }
}
