#if os(Linux)
  import Foundation
  @testable import StrataKeychain
  import TestSupport
  import Testing

  /// The choice of the default keychain.
  @Suite(.endsInTime) struct AutomaticPlaceTests {
    private let folder = TemporaryFolder().url
    private let state = TemporaryFolder().url

    private func giveCredential(_ bytes: Data) throws {
      try bytes.write(to: folder.appending(path: "strata.vault"))
    }

    @Test("a systemd service with a credential uses a vault in its state folder, opened by the credential")
    func credential() throws {
      try giveCredential(Data(repeating: 9, count: 32))
      let environment = ["CREDENTIALS_DIRECTORY": folder.path, "STATE_DIRECTORY": "\(state.path):/elsewhere"]
      let place = KeychainPlace { try KeychainPlace.fromEnvironment(environment) }
      let accounts = KeychainAccounts<String>(service: "tests", in: place)
      try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
      let path = state.appending(path: "keychain.vault").path
      let same = KeychainAccounts<String>(service: "tests", in: .vault(path, key: .test(9)))
      #expect(try same.object(forKey: "Ada") == text("a secret"))
      // All accounts in the default keychain share one vault.
      let (one, other) = (
        try KeychainPlace.fromEnvironment(environment), try KeychainPlace.fromEnvironment(environment)
      )
      #expect(one as? Vault === other as? Vault)
    }

    @Test(
      "a wrong credential is an error, and no other place is taken",
      arguments: [0, 31, 33, 1000])
    func badCredential(size: Int) throws {
      try giveCredential(Data(count: size))
      let environment = ["CREDENTIALS_DIRECTORY": folder.path, "STATE_DIRECTORY": state.path]
      let accounts = KeychainAccounts<String>(
        service: "tests", in: KeychainPlace { try KeychainPlace.fromEnvironment(environment) })
      #expect(
        failure { try accounts.setObject(text("1"), forKey: "Ada", expiry: nil) } == .invalidConfiguration)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: state.path).filter { $0 == "keychain.vault" }
          == [])
    }

    @Test("a credential without a state folder throws an error that names `StateDirectory`")
    func noStateFolder() throws {
      try giveCredential(Data(repeating: 9, count: 32))
      let refused = failure { try KeychainPlace.fromEnvironment(["CREDENTIALS_DIRECTORY": folder.path]) }
      #expect(refused == .invalidConfiguration)
      #expect(refused?.message.contains("StateDirectory=") == true)
    }

    @Test("without a credential, the Secret Service is used, even if it cannot be reached")
    func secretService() throws {
      for environment in [[:], ["CREDENTIALS_DIRECTORY": folder.path]] {
        #expect(try KeychainPlace.fromEnvironment(environment) is SecretServicePlace)
      }
    }

    @Test("the default service is the name of the program")
    func service() {
      #expect(KeychainService.ofProgram == ProcessInfo.processInfo.processName)
      #expect(KeychainAccounts<String>().service == KeychainService.ofProgram)
    }
  }
#endif
