import Foundation
import StrataKeychain

/// The secrets of a server without a desktop: a vault in a file, opened by a key that the service manager stores.
@main
struct KeychainExample {
  struct Token: Codable, Equatable {
    var text: String
    var scopes: [String]
  }

  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "strata-keychain-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { print(removed(folder)) }

    let (path, keyFile) = (folder.appending(path: "secrets.vault").path, folder.appending(path: "key").path)
    try SecretKey().write(toFile: keyFile)
    let vault = Vault(path: path, key: .keyFile(keyFile))

    // One account, typed. Its value is not kept in memory.
    let session = KeychainStorage<Token>(account: "api token", service: "shop", in: .vault(vault))
    try await session.save(item: Token(text: "s3cret", scopes: ["read"]))
    try await session.save(item: Token(text: "s3cret", scopes: ["read", "write"]))
    print("Saved, and saved again:  \(try await session.get()?.scopes ?? [])")
    print("In the file is \"s3cret\": \(try contains("s3cret", path))")

    // All accounts of a service are a store like any other, so combinators apply to them.
    let passwords = KeychainAccounts<String>(service: "mail", in: .vault(vault)).transform(to: String.self)
    try await passwords.setObject("correct horse", forKey: "ada@example.com")
    try await passwords.setObject("battery staple", forKey: "grace@example.com", expiry: .seconds(0))
    print("Accounts of mail:        \(try await passwords.keys())")

    // The key is replaced. If this is interrupted at any point, one of the two keys opens the vault.
    try vault.changeKey(to: .passphrase("a passphrase that nobody guesses"))
    print("With the new key:        \(try await session.get() != nil)")
    await explain("With the old key:       ", in: .vault(path, key: .keyFile(keyFile)))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    await explain("Readable by others:     ", in: .vault(vault))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try await session.delete()
    try await session.delete()
    print("Deleted, twice:          \(try await session.get() == nil)")

    #if os(Linux)
      // On a desktop the same code uses the Secret Service; this machine may have none.
      await explain("On this machine's desktop:", in: .secretService(mayPrompt: false))
    #endif
  }

  /// Prints the state of a keychain.
  static func explain(_ title: String, in place: KeychainPlace) async {
    do {
      let token = try await Keychain<Token>(account: "api token", service: "shop", in: place).get()
      print("\(title) \(token == nil ? "nothing is stored" : "a token")")
    } catch let error as KeychainError {
      print("\(title) \(error.condition.map { "\($0)" } ?? error.errorMessage)")
    } catch { print("\(title) \(error)") }
  }

  static func contains(_ text: String, _ path: String) throws -> Bool {
    try Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
  }

  static func removed(_ folder: URL) -> String {
    do {
      try FileManager.default.removeItem(at: folder)
      return "\nAll of it is gone again."
    } catch { return "Left behind: \(folder.path): \(error)" }
  }
}
