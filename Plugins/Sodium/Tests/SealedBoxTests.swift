import Foundation
import StrataSodium
import TestSupport
import Testing

@Suite(.endsInTime) struct SealedBoxTests {
  private let owner: KeyPair

  init() throws { owner = try KeyPair() }

  @Test(arguments: [0, 1, 100, 100_000]) func sealedBytesAreOpened(_ size: Int) throws {
    let sealed = try owner.publicKey.encrypt(noise(size), for: "a")
    #expect(sealed.count == size + 58)
    #expect(try owner.decrypt(sealed, for: "a") == noise(size))
    #expect(try owner.decrypt(owner.encrypt(noise(size))) == noise(size))
  }

  @Test func equalBytesAreEncryptedDifferently() throws {
    let sealed = try (0..<20).map { _ in try owner.publicKey.encrypt(noise(10)) }
    #expect(Set(sealed.map { $0[10..<42] }).count == 20)
    #expect(Set(sealed.map { $0[42...] }).count == 20)
  }

  @Test(arguments: [0, 100]) func anyChangedBitOrByteIsRefused(_ size: Int) throws {
    let sealed = try owner.publicKey.encrypt(noise(size), for: "a")
    for bit in 0..<sealed.count * 8 where bit != 41 * 8 + 7 {
      var damaged = sealed
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: EncryptorError.failedToDecrypt) { try owner.decrypt(damaged, for: "a") }
    }
    for count in 0..<sealed.count {
      #expect(throws: EncryptorError.failedToDecrypt) { try owner.decrypt(sealed.prefix(count), for: "a") }
    }
    #expect(throws: EncryptorError.failedToDecrypt) { try owner.decrypt(sealed + [0], for: "a") }
  }

  /// X25519 ignores the last bit of a public key; the authenticated data includes it.
  @Test func theBitThatTheCurveIgnoresIsAuthenticated() throws {
    var damaged = try owner.publicKey.encrypt(noise(10), for: "a")
    damaged[41] ^= 0x80
    #expect(throws: EncryptorError.failedToDecrypt) { try owner.decrypt(damaged, for: "a") }
  }

  @Test func anotherPairAnotherIdentityAndAnotherMethodAreRefused() throws {
    let sealed = try owner.publicKey.encrypt(noise(10), for: "a")
    let other = try KeyPair()
    let error = try #require(throws: EncryptorError.self) { try other.decrypt(sealed, for: "a") }
    #expect(error.errorMessage.contains("\(owner.publicKey.id)"))
    #expect(throws: EncryptorError.failedToDecrypt) { try owner.decrypt(sealed, for: "b") }
    #expect(throws: EncryptorError.failedToDecrypt) { try owner.publicKey.decrypt(sealed, for: "a") }
    let secret = try #require(throws: EncryptorError.self) { try owner.secretKey.decrypt(sealed, for: "a") }
    #expect(secret.errorMessage.contains("a sealed box"))
    let box = try owner.secretKey.encrypt(noise(10))
    #expect(throws: EncryptorError.failedToDecrypt) { try owner.decrypt(box) }
  }

  /// A box whose ephemeral key has a small order would use a publicly known key.
  @Test(arguments: ["00", "01"]) func weakKeysAreRefused(_ first: String) throws {
    let weak = Data(hex: first + String(repeating: "00", count: 31))
    #expect(throws: EncryptorError.failedToEncrypt) { try PublicKey(weak).encrypt(noise(10)) }
    var sealed = try owner.publicKey.encrypt(noise(10))
    sealed.replaceSubrange(10..<42, with: weak)
    #expect(throws: EncryptorError.failedToDecrypt) { try owner.decrypt(sealed) }
  }

  @Test func aPairCanBeRestoredFromItsSecretKey() throws {
    let path = TemporaryFolder().url.appending(path: "key").path
    try owner.secretKey.write(toFile: path)
    let again = try KeyPair(SecretKey(file: path))
    #expect(again.publicKey == owner.publicKey)
    #expect(try again.decrypt(owner.publicKey.encrypt(noise(10))) == noise(10))
    #expect(try PublicKey(owner.publicKey.data) == owner.publicKey)
  }

  @Test(arguments: [0, 31, 33]) func keysOfOtherSizesAreRefused(_ count: Int) {
    #expect(throws: StorageError.invalidConfiguration) { try PublicKey(noise(count)) }
  }

  @Test func aPairIsDescribedByItsPublicKeysID() throws {
    var dumped = ""
    dump(owner, to: &dumped)
    for text in ["\(owner)", String(reflecting: owner), dumped] {
      #expect(text.contains(owner.publicKey.id.description))
      #expect(!text.contains("SecretKey"))
    }
    #expect("\(owner.publicKey)" == "PublicKey \(owner.publicKey.id)")
  }

  @Test func onlyTheKeysOfAPairReportItsBoxesAsCurrent() throws {
    let sealed = try owner.publicKey.encrypt(noise(10))
    #expect(owner.isCurrent(sealed))
    #expect(owner.publicKey.isCurrent(sealed))
    #expect(try !KeyPair().isCurrent(sealed))
    #expect(!owner.secretKey.isCurrent(sealed))
  }
}
