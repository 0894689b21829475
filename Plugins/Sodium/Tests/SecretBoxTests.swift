import Foundation
import StrataSodium
import TestSupport
import Testing

/// The guarantees of every kind of secret key.
@Suite(.endsInTime) struct SecretBoxTests {
  private static let sizes = [0, 1, 15, 16, 100, 4096, 100_000]
  private let key: SecretKey
  private let ring: KeyRing

  init() throws {
    key = try SecretKey()
    ring = KeyRing(key)
  }

  @Test(arguments: sizes, [EntryIdentity.none, "", "tokens/ada"])
  func whatIsEncryptedIsDecrypted(_ size: Int, _ identity: EntryIdentity) throws {
    let plain = noise(size)
    let sealed = try key.encrypt(plain, for: identity)
    #expect(sealed.count == size + 50)
    #expect(try key.decrypt(sealed, for: identity) == plain)
    #expect(try ring.decrypt(sealed, for: identity) == plain)
    #expect(try key.decrypt(ring.encrypt(plain, for: identity), for: identity) == plain)
  }

  @Test func slicesOfDataAreEncryptedAlone() throws {
    let whole = noise(300)
    let sealed = try Data([1, 2, 3]) + key.encrypt(whole[100..<200]) + Data([4])
    #expect(try key.decrypt(sealed.dropFirst(3).dropLast()) == whole[100..<200])
  }

  @Test func equalBytesAreEncryptedDifferently() throws {
    let sealed = try (0..<50).map { _ in try key.encrypt(noise(10)) }
    #expect(Set(sealed).count == 50)
    #expect(Set(sealed.map { $0[10..<34] }).count == 50)
  }

  @Test(arguments: [0, 1, 100]) func anyChangedBitIsRefused(_ size: Int) throws {
    let sealed = try key.encrypt(noise(size), for: "a")
    for bit in 0..<sealed.count * 8 {
      var damaged = sealed
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: EncryptorError.failedToDecrypt) { try key.decrypt(damaged, for: "a") }
      #expect(throws: EncryptorError.failedToDecrypt) { try ring.decrypt(damaged, for: "a") }
    }
  }

  @Test(arguments: [0, 1, 100]) func anyMissingOrAdditionalByteIsRefused(_ size: Int) throws {
    let sealed = try key.encrypt(noise(size), for: "a")
    for count in 0..<sealed.count {
      #expect(throws: EncryptorError.failedToDecrypt) { try ring.decrypt(sealed.prefix(count), for: "a") }
      #expect(throws: EncryptorError.failedToDecrypt) {
        try ring.decrypt(sealed.dropFirst(sealed.count - count), for: "a")
      }
    }
    #expect(throws: EncryptorError.failedToDecrypt) { try ring.decrypt(sealed + [0], for: "a") }
  }

  @Test func anotherIdentityIsRefused() throws {
    let identities: [EntryIdentity] = [.none, "", "a", "b", "aa", "\u{0}", "\u{1}a"]
    for written in identities {
      let sealed = try key.encrypt(noise(10), for: written)
      for read in identities where read != written {
        #expect(throws: EncryptorError.failedToDecrypt) { try key.decrypt(sealed, for: read) }
      }
    }
  }

  @Test func canonicallyEqualTextsAreOneIdentity() throws {
    let sealed = try key.encrypt(noise(10), for: "caf\u{E9}")
    #expect(try key.decrypt(sealed, for: "cafe\u{301}") == noise(10))
  }

  @Test func theErrorNamesTheMissingKey() throws {
    let other = try SecretKey()
    let sealed = try key.encrypt(noise(10))
    for cipher in [other, KeyRing(newest: other, older: [try SecretKey()])] as [any Cipher] {
      let error = try #require(throws: EncryptorError.self) { try cipher.decrypt(sealed) }
      #expect(error == .failedToDecrypt)
      #expect(error.errorMessage.contains("the key \(key.id)"))
      #expect(error.errorMessage.contains("\(other.id)"))
    }
  }

  @Test func anotherKeyWithTheSameIDIsRefused() throws {
    let other = try SecretKey()
    var sealed = try key.encrypt(noise(10))
    let forOther = try other.encrypt(noise(10))
    sealed.replaceSubrange(2..<10, with: forOther[2..<10])
    let error = try #require(throws: EncryptorError.self) { try other.decrypt(sealed) }
    #expect(error == .failedToDecrypt)
    #expect(error.code == -1)
  }

  @Test func theErrorForPlainBytesNamesTheReason() throws {
    let plain = Data(#"{"name":"Ada"}"#.utf8)
    let error = try #require(throws: EncryptorError.self) { try key.decrypt(plain) }
    #expect(error.errorMessage.contains("do not begin like encrypted bytes"))
    #expect(!error.errorMessage.contains("Ada"))
    #expect(throws: EncryptorError.failedToDecrypt) { try key.decrypt(Data()) }
  }

  @Test func theErrorForAnUnknownMethodNamesIt() throws {
    var sealed = try key.encrypt(noise(10))
    sealed[1] = 200
    let error = try #require(throws: EncryptorError.self) { try key.decrypt(sealed) }
    #expect(error == .failedToDecrypt)
    #expect(error.errorMessage.contains("unknown to this version, number 200"))
  }

  @Test func theNewestKeyEncryptsAndAllDecrypt() throws {
    let second = try SecretKey()
    let third = try SecretKey()
    let rings = [ring, ring.rotated(adding: second), ring.rotated(adding: second).rotated(adding: third)]
    let sealed = try rings.map { try $0.encrypt(noise(10)) }
    for (i, writer) in rings.enumerated() {
      for (j, reader) in rings.enumerated() {
        #expect(reader.isCurrent(sealed[i]) == (i == j))
        if i <= j {
          #expect(try reader.decrypt(sealed[i]) == noise(10))
        } else {
          #expect(throws: EncryptorError.failedToDecrypt) { try reader.decrypt(sealed[i]) }
        }
      }
      #expect(writer.newest.id == [key, second, third][i].id)
    }
    #expect(rings[2].ids.count == 3)
    #expect(rings[2].ids.first == third.id)
    rings[2].removeOlder()
    #expect(rings[2].ids == [third.id])
    #expect(throws: EncryptorError.failedToDecrypt) { try rings[2].decrypt(sealed[1]) }
    #expect(try rings[2].decrypt(sealed[2]) == noise(10))
  }

  @Test func allUsersOfARingSeeARotation() throws {
    let transformer = ByteTransformer.encrypted(with: ring)
    let old = try transformer.encode(noise(10))
    let newer = try SecretKey()
    ring.rotate(adding: newer)
    #expect(ring.newest.id == newer.id)
    #expect(ring.ids == [newer.id, key.id])
    #expect(try newer.isCurrent(transformer.encode(noise(10))))
    #expect(try transformer.decode(old) == noise(10))
    ring.rotate(adding: key)
    #expect(ring.ids == [key.id, newer.id])
  }

  @Test func damagedBytesAreNotCurrent() throws {
    let sealed = try key.encrypt(noise(10))
    for count in 0..<10 { #expect(!key.isCurrent(sealed.prefix(count))) }
    for index in 0..<10 {
      var damaged = sealed
      damaged[index] ^= 1
      #expect(!key.isCurrent(damaged))
    }
  }
}
