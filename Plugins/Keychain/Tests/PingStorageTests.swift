import Foundation
@testable import StrataKeychain
import Testing

/// Items that PingStorage left in a keychain: under an account of its service, the item in JSON or as bytes of its
/// encryptor.
@Suite struct PingStorageTests {
  struct Dog: Codable, Equatable, Sendable {
    let name: String
    let type: String
  }

  /// PingStorage's name, with its parameters and its service, as in the migration guide.
  ///
  /// Unchecked like its superclass: it adds no stored properties.
  class PingKeychainStorage<T: Codable & Sendable>: KeychainStorage<T>, @unchecked Sendable {
    init(
      account: String, encryptor: any Encryptor = NoEncryptor(), cacheable: Bool = false,
      in place: KeychainPlace = .automatic
    ) {
      super.init(
        account: account, encryptor: encryptor, cacheable: cacheable, service: KeychainService.ofPingStorage,
        in: place)
    }
  }

  /// A program's own encryptor: it prepends a byte and reverses the others.
  struct Turning: Encryptor {
    let first: UInt8
    func encrypt(data: Data) async throws -> Data { Data([first] + data.reversed()) }
    func decrypt(data: Data) async throws -> Data {
      guard data.first == first else { throw EncryptorError.failedToDecrypt }
      return Data(data.dropFirst().reversed())
    }
  }

  private let lucky = Dog(name: "Lucky", type: "Golden Retriever")

  /// The bytes that PingStorage's `Keychain` passes to the system.
  private func stored(_ item: some Encodable, _ encryptor: any Encryptor = NoEncryptor()) async throws -> Data
  {
    try await encryptor.encrypt(data: JSONEncoder().encode(item))
  }

  private func secret(in data: Data) throws -> StoredSecret {
    try data.withUnsafeBytes { bytes in try SecretEnvelope.secret(in: bytes) }
  }

  @Test("items that PingStorage has stored are read unchanged, plain or encrypted, of any JSON type")
  func asItIs() async throws {
    let items = [
      try await stored(lucky), try await stored("token"), try await stored(-1), try await stored([1]),
      try await stored(true), try await stored(String?.none),
      // Ciphertext of the Secure Enclave begins with an uncompressed point of the curve.
      try await stored(lucky, Turning(first: 4)), try await stored(lucky, Turning(first: 255)),
      try await stored(lucky, Turning(first: 0)),
    ]
    for item in items { #expect(try secret(in: item) == StoredSecret(value: item, date: nil)) }
  }

  @Test("items that Strata has stored are read without their header")
  func strataItself() throws {
    for date in [nil, 1_800_000_000.5] {
      let envelope = SecretEnvelope.make(text("{}"), date: date)
      #expect(try secret(in: Data(envelope.buffer)) == StoredSecret(value: text("{}"), date: date))
    }
  }

  #if os(Linux)
    @Test(
      "a class with PingStorage's name reads its items, saves and deletes",
      .enabled(if: SecretSession.areProgramsInstalled, "dbus-daemon or gnome-keyring-daemon is not installed")
    )
    func takenOver() async throws {
      let session = try SecretSession()
      let service = "com.pingidentity.keychainService"
      for (account, encryptor) in [("plain", NoEncryptor()), ("encrypted", Turning(first: 4))]
        as [(String, any Encryptor)]
      {
        for cacheable in [false, true] {
          try session.store(await stored(lucky, encryptor), service: service, account: account)
          let storage = PingKeychainStorage<Dog>(
            account: account, encryptor: encryptor, cacheable: cacheable, in: session.place())
          #expect(try await storage.get() == lucky)
          let rex = Dog(name: "Rex", type: "Boxer")
          try await storage.save(item: rex)
          #expect(try await storage.get() == rex)
          let again = PingKeychainStorage<Dog>(account: account, encryptor: encryptor, in: session.place())
          #expect(try await again.get() == rex)
          try await storage.delete()
          #expect(try await again.get() == nil)
        }
      }
      // Other services have no such item.
      try session.store(await stored(lucky), service: service, account: "plain")
      #expect(try await KeychainStorage<Dog>(account: "plain", in: session.place()).get() == nil)
    }
  #endif

  @Test("an item that is not JSON of the requested type throws, and is kept")
  func anotherType() async throws {
    let vault = TestVault()
    let accounts = KeychainAccounts<String>(service: KeychainService.ofPingStorage, in: .vault(vault.open()))
    try await accounts.setObject(stored("token"), forKey: "myId")
    let storage = PingKeychainStorage<Dog>(account: "myId", in: .vault(vault.open()))
    let refused = await #expect(throws: KeychainError.unableToRetrieve) { try await storage.get() }
    #expect(refused?.condition == .damaged)
    #expect(try await PingKeychainStorage<String>(account: "myId", in: .vault(vault.open())).get() == "token")
  }
}
