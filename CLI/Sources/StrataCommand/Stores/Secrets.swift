import StrataKeychain
import StrataSodium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Passwords and keys. They are read from files, from the environment or from the terminal. They are never on the
/// command line, which other users of the machine can read.
struct Secrets: Sendable {
  let keyFile: String?
  let passwordFile: String?
  let environment: [String: String]
  /// Whether the command may ask for a passphrase on the terminal.
  let mayAsk: Bool

  /// Returns the password for a server, or `nil` if none is given. `variable` is the environment variable that the
  /// server's own tools read.
  func password(or variable: String) throws -> String? {
    if let passwordFile { return try Self.line(of: passwordFile) }
    return environment["STRATA_PASSWORD"] ?? environment[variable]
  }

  /// Returns the key of the vault at a path. Asks for the passphrase if no key is given.
  func vaultKey(for path: String) throws -> VaultKey {
    if let keyFile { return .keyFile(keyFile) }
    if let passwordFile { return try .passphrase(Self.line(of: passwordFile)) }
    if let passphrase = environment["STRATA_PASSWORD"] { return try .passphrase(passphrase) }
    if mayAsk, let passphrase = Prompt.secret("Passphrase of \(path)") { return try .passphrase(passphrase) }
    throw Failure(
      .refused, "locked", "the vault needs a key", place: path,
      advice: "give --key-file FILE, --password-file FILE or $STRATA_PASSWORD")
  }

  /// Returns the key of --key-file, which decrypts values, or `nil` if none is given.
  func valueKey() throws -> SecretKey? { try keyFile.map { try SecretKey(file: $0) } }

  private static func line(of path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure.missing("the file of the password cannot be read", place: path)
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(.failed, "failed", "the password is not a text in UTF-8", place: path)
    }
    return String(text.prefix { $0 != "\n" && $0 != "\r\n" && $0 != "\r" })
  }
}
