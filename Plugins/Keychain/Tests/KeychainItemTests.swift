import Foundation
import StrataKeychain
import TestSupport
import Testing

/// The contract of saving, reading and deleting one account, in each keychain.
@Suite(.endsInTime) struct KeychainItemTests {
  struct Token: Codable, Equatable, Sendable {
    let text: String
    let scopes: [String]
  }

  enum Kind: CaseIterable, Sendable { case vault, kernel, secretService }

  /// A keychain under test, with the resources it uses.
  struct Home: Sendable {
    let place: KeychainPlace
    let vault = TestVault()
    let session: SecretSession?

    init?(_ kind: Kind) throws {
      switch kind {
      case .vault: (place, session) = (.vault(vault.open()), nil)
      case .kernel:
        guard KernelSupport.isPermitted else { return nil }
        (place, session) = (.kernel(), nil)
      case .secretService:
        guard SecretSession.areProgramsInstalled else { return nil }
        let session = try SecretSession()
        (place, self.session) = (session.place(), session)
      }
    }
  }

  /// Runs a test with a keychain and a service of its own.
  private func withPlace(
    _ kind: Kind, _ body: (KeychainPlace, _ service: String) async throws -> Void
  ) async throws {
    guard let home = try Home(kind) else {
      try Test.cancel("this machine has no \(kind)")
    }
    let service = "strata tests \(UUID())"
    let accounts = KeychainAccounts<String>(service: service, in: home.place)
    defer { #expect(throws: Never.self) { try accounts.removeAll() } }
    try await body(home.place, service)
  }

  @Test(
    "an item is saved, replaced, read and deleted; deleting an absent item succeeds",
    arguments: Kind.allCases)
  func oneItem(kind: Kind) async throws {
    try await withPlace(kind) { place, service in
      let keychain = Keychain<Token>(account: "Ada", service: service, in: place)
      #expect(try await keychain.get() == nil)
      try await keychain.delete()
      for round in 0..<3 {
        let token = Token(text: "token \(round)", scopes: Array(repeating: "all", count: round))
        try await keychain.save(item: token)
        #expect(try await keychain.get() == token)
        #expect(try await Keychain<Token>(account: "Ada", service: service, in: place).get() == token)
        #expect(try await Keychain<Token>(account: "Grace", service: service, in: place).get() == nil)
      }
      try await keychain.delete()
      try await keychain.delete()
      #expect(try await keychain.get() == nil)
    }
  }

  @Test(
    "of items saved at once one is left, whole, and cache and keychain agree", arguments: Kind.allCases,
    [CacheStrategy.noCache, .cache, .cacheOnFailure])
  func savedAtOnce(kind: Kind, strategy: CacheStrategy) async throws {
    try await withPlace(kind) { place, service in
      let storage = KeychainStorage<Token>(
        account: "Ada", cacheStrategy: strategy, service: service, in: place)
      for round in 0..<5 {
        let tokens = (0..<8).map {
          Token(text: "\(round) \($0)", scopes: Array(repeating: "all", count: $0 * 20))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for token in tokens { group.addTask { try await storage.save(item: token) } }
          try await group.waitForAll()
        }
        let kept = try #require(try await Keychain<Token>(account: "Ada", service: service, in: place).get())
        #expect(tokens.contains(kept))
        #expect(try await storage.get() == kept)
      }
    }
  }

  @Test(
    "an encryptor stands between the item and the keychain, and what it throws is thrown",
    arguments: Kind.allCases)
  func encryptor(kind: Kind) async throws {
    try await withPlace(kind) { place, service in
      let own = SodiumEncryptor(secretKey(1), for: "Ada")
      let keychain = Keychain<String>(account: "Ada", encryptor: own, service: service, in: place)
      try await keychain.save(item: "a secret text")
      #expect(try await keychain.get() == "a secret text")
      let stored = try await KeychainAccounts<String>(service: service, in: place).object(forKey: "Ada")
      #expect(stored.firstRange(of: text("secret text")) == nil)
      let other = Keychain<String>(
        account: "Ada", encryptor: SodiumEncryptor(secretKey(2), for: "Ada"), service: service, in: place
      )
      await #expect(throws: EncryptorError.failedToDecrypt) { try await other.get() }
      // Without an encryptor the bytes are not JSON.
      let bare = Keychain<String>(account: "Ada", service: service, in: place)
      let unreadable = await #expect(throws: KeychainError.unableToRetrieve) { try await bare.get() }
      #expect(unreadable?.condition == .damaged)
    }
  }

  @Test("a save that fails leaves the old item", arguments: Kind.allCases)
  func failedSave(kind: Kind) async throws {
    try await withPlace(kind) { place, service in
      let keychain = Keychain<Double>(account: "Ada", service: service, in: place)
      try await keychain.save(item: 1)
      // JSON cannot represent infinity, so the save fails.
      await #expect(throws: KeychainError.unableToSave) { try await keychain.save(item: .infinity) }
      #expect(try await keychain.get() == 1)
    }
  }

  @Test("a chain can be built over the accounts of a service", arguments: Kind.allCases)
  func chain(kind: Kind) async throws {
    try await withPlace(kind) { place, service in
      let tokens = KeychainAccounts<UUID>(service: service, in: place, expiry: .seconds(1000)).transform(
        to: Token.self)
      let (user, token) = (UUID(), Token(text: "a token", scopes: ["read"]))
      try await tokens.setObject(token, forKey: user)
      #expect(try await tokens.object(forKey: user) == token)
      #expect(try await tokens.keys() == [user])
      #expect(try await tokens.entry(forKey: user).expiry != .never)
    }
  }

  @Test("an item that another program stored with an expiry is cached with it")
  func expiry() async throws {
    let place = KeychainPlace.vault(TestVault().open())
    let expiry = Expiry.date(Date(timeIntervalSince1970: 4e9))
    let accounts = KeychainAccounts<String>(service: "tokens", in: place)
    try await accounts.setObject(text("7"), forKey: "Ada", expiry: expiry)
    let item = KeychainStorage<Int>(
      account: "Ada", cacheStrategy: .cacheOnFailure, service: "tokens", in: place)
    #expect(try await item.get() == 7)
    #expect(try await item.expiryIfPresent() == expiry)
    try await accounts.setObject(text("7"), forKey: "Ada", expiry: .seconds(0))
    #expect(try await item.get() == nil)
    try await item.save(item: 8)
    #expect(try await item.expiryIfPresent() == .never)
  }

  @Test("an error contains its kind and condition, the platform's code, the account, and advice")
  func failures() async throws {
    let vault = TestVault()
    let keychain = Keychain<String>(account: "Ada", in: .vault(vault.open()))
    try await keychain.save(item: "a secret")
    try vault.setMode(0o644)
    let denied = await #expect(throws: KeychainError.unableToRetrieve) { try await keychain.get() }
    #expect(denied?.condition == .denied)
    #expect(denied?.account == "Ada")
    #expect(denied?.errorMessage.contains("chmod 600") == true)
    await #expect(throws: KeychainError.unableToSave) { try await keychain.save(item: "new") }
    await #expect(throws: KeychainError.unableToDelete) { try await keychain.delete() }
    try vault.setMode(0o600)
    #expect(try await keychain.get() == "a secret")
    let wrong = Keychain<String>(account: "Ada", in: .vault(vault.open(.test(2))))
    let refused = await #expect(throws: KeychainError.unableToRetrieve) { try await wrong.get() }
    #expect(refused?.condition == .wrongKey)
    let folder = Keychain<String>(account: "Ada", in: .vault(vault.folder.path, key: .test(1)))
    #expect(
      await #expect(throws: KeychainError.unableToSave) { try await folder.save(item: "new") }?.code == nil)
    let beneath = Keychain<String>(account: "Ada", in: .vault("\(vault.path)/deeper", key: .test(1)))
    let unreachable = await #expect(throws: KeychainError.unableToRetrieve) { try await beneath.get() }
    #expect(unreachable?.code == Int(ENOTDIR))
    #expect(unreachable?.condition == .unreachable)
  }
}
