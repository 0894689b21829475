import Foundation
import Strata
import StrataSodium
import TestSupport
import Testing

@Suite(.endsInTime) struct SecretTests {
  private struct Token: Codable, Hashable, Sendable {
    var user: String
    var bytes: Data
  }

  private let token = Token(user: "needle", bytes: Data([222, 173]))
  private let ring: KeyRing

  init() throws { ring = KeyRing(try SecretKey()) }

  @Test func revealReturnsTheValue() throws {
    #expect(try Secret("needle").reveal() == "needle")
    #expect(try Secret("").reveal() == "")
    #expect(try Secret(noise(10_000)).reveal() == noise(10_000))
    #expect(try Secret(Data()).reveal() == Data())
    #expect(try Secret(token).reveal() == token)
    #expect(try Secret([1, 2]).reveal() == [1, 2])
    #expect(try Secret(5).reveal() == 5)
  }

  @Test func genericCodeMakesTheSameBytes() throws {
    func generic<V: Codable & Sendable>(_ value: V) throws -> Secret<V> { try Secret(value) }
    #expect(try generic("needle").withBytes { Data($0) } == Data("needle".utf8))
    #expect(try generic(Data([1, 2])).withBytes { Data($0) } == Data([1, 2]))
    #expect(try Secret("needle").withBytes { Data($0) } == Data("needle".utf8))
    #expect(try Secret(5).withBytes { Data($0) } == Data("5".utf8))
  }

  @Test func aSecretIsFilledInPlace() throws {
    let secret = try Secret<Data>(count: 5) { $0.copyBytes(from: [1, 2, 3, 4, 5]) }
    #expect(try secret.reveal() == Data([1, 2, 3, 4, 5]))
    #expect(throws: Failure.first) { try Secret<Data>(count: 5) { _ in throw Failure.first } }
    let random = try (0..<10).map { _ in try Secret.random(count: 16).reveal() }
    #expect(Set(random).count == 10)
    #expect(random.allSatisfy { $0.count == 16 })
  }

  @Test func noOutputShowsTheSecret() throws {
    let secret = try Secret("needle")
    struct Holder { let secret: Secret<String> }
    var shown = ""
    dump(secret, to: &shown)
    dump(Holder(secret: secret), to: &shown)
    dump([secret], to: &shown)
    print(secret, [secret], Holder(secret: secret), to: &shown)
    debugPrint(secret, [secret], Optional(secret) as Any, Holder(secret: secret), to: &shown)
    shown += "\(secret) \([secret]) \(Holder(secret: secret)) \(["a": secret])"
    shown += String(describing: secret) + String(reflecting: secret)
    #expect(!shown.contains("needle"))
    #expect(!shown.contains("0x"))
    #expect(!shown.contains("LockedBytes"))
    #expect("\(secret)" == "Secret<String>")
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(!(secret as Any is any Encodable))
    #expect(!(secret as Any is any Decodable))
  }

  @Test func noErrorQuotesTheSecret() throws {
    let secret = try Secret("needle")
    let wrong = Transformer.secret(Token.self, with: ring)
    let sealed = try Transformer.secret(String.self, with: ring).toData(secret)
    let error = #expect(throws: StorageError.self) { try wrong.fromData(sealed).reveal() }
    #expect(error == .decodingFailed)
    #expect(error.map { "\($0) \(String(reflecting: $0))".contains("needle") } == false)
    struct Refused: Codable, Sendable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue("needle", .init(codingPath: [], debugDescription: "needle"))
      }
    }
    let other = #expect(throws: StorageError.self) { try Secret(Refused()) }
    #expect(other == .encodingFailed)
    #expect(other.map { "\($0) \(String(reflecting: $0))".contains("needle") } == false)
  }

  @Test func aSecretIsEncryptedInAChain() throws {
    let bytes = DictionaryStorage<String, Data>()
    let store = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: bytes,
      transformer: .secret(Token.self, with: ring, for: "tokens"))
    try store.setObject(Secret(token), forKey: "a")
    let sealed = try #require(bytes.objects["a"])
    #expect(sealed.range(of: Data("needle".utf8)) == nil)
    #expect(try store.object(forKey: "a").reveal() == token)
    try store.removeInMemoryObject(forKey: "a")
    #expect(try store.object(forKey: "a").reveal() == token)
    // The bytes are the JSON of the value, encrypted for the identity.
    let plain = try ring.decrypt(sealed, for: "tokens")
    #expect(try JSONDecoder().decode(Token.self, from: plain) == token)

    let other = store.transform(to: .secret(Token.self, with: KeyRing(try SecretKey()), for: "tokens"))
    #expect(throws: EncryptorError.failedToDecrypt) { try other.object(forKey: "a") }
    let elsewhere = store.transform(to: .secret(Token.self, with: ring, for: "other"))
    #expect(throws: EncryptorError.failedToDecrypt) { try elsewhere.object(forKey: "a") }
    #expect(throws: EncryptorError.self) {
      try store.transform(to: .secret(Token.self, with: try KeyPair().publicKey)).object(forKey: "a")
    }
  }

  @Test func onlyTheKeyPairReadsSecretsOfItsPublicKey() throws {
    let owner = try KeyPair()
    let sealed = try Transformer.secret(String.self, with: owner.publicKey, for: "a").toData(Secret("needle"))
    #expect(try Transformer.secret(String.self, with: owner, for: "a").fromData(sealed).reveal() == "needle")
  }

  #if os(Linux)
    /// `lo`: locked. `dd`: excluded from core dumps.
    @Test(.disabled(if: Sanitizer.isOn, "a sanitizer locks no memory"))
    func theSystemKeepsItsMemoryFromDiskAndDump() throws {
      let sealed = try Transformer.secret(String.self, with: ring).toData(Secret("needle"))
      let secrets = [
        try Secret("needle"), try Secret(token).withBytes { _ in try Secret("needle") },
        try Transformer.secret(String.self, with: ring).fromData(sealed),
      ]
      for secret in secrets {
        let address = secret.withBytes { UInt(bitPattern: $0.baseAddress) }
        let flags = try #require(try mapping(of: address)).split(separator: " ").map(String.init)
        #expect(flags.contains("lo"))
        #expect(flags.contains("dd"))
        #expect(!flags.contains("wr"))
      }
      let key = ring.newest.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      #expect(try mapping(of: key)?.contains("lo") == true)
    }

    @Test(
      .disabled(if: Sanitizer.isOn, "a sanitizer catches the signal"),
      arguments: ["write", "overrun", "stale"])
    func whoBreaksItsMemoryDies(_ manner: String) async throws {
      let (end, printed) = try await onThread { try SodiumRunner.run("break", manner) }
      #expect(end == .signal(SIGSEGV), "\(String(decoding: printed, as: UTF8.self))")
    }

    @Test(.disabled(if: Sanitizer.isOn, "a sanitizer does not bear a change of the user"))
    func tooManySecretsAreRefusedAndNoneIsLost() async throws {
      let (end, printed) = try await onThread { try SodiumRunner.run("lock") }
      let said = String(decoding: printed, as: UTF8.self)
      #expect(end == .exit(0), "\(said)")
      #expect(said.contains("backendFailed"))
      #expect(said.contains("ulimit -l"))
    }

    /// Returns the flags of the memory at an address, as the system reports them.
    private func mapping(of address: UInt) throws -> String? {
      var isHere = false
      // Read to its end, since the file reports no size.
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
      let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      for line in text.split(separator: "\n") {
        if line.hasPrefix("VmFlags:") {
          if isHere { return String(line.dropFirst("VmFlags: ".count)) }
        } else if let range = line.split(separator: " ").first?.split(separator: "-"), range.count == 2,
          let start = UInt(range[0], radix: 16), let end = UInt(range[1], radix: 16)
        {
          isHere = (start..<end).contains(address)
        }
      }
      return nil
    }
  #endif
}
