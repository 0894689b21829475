import Foundation
import StrataKeychain
import TestSupport

/// The file of a vault, in a folder of its own.
struct TestVault {
  let folder = TemporaryFolder().url

  var path: String { folder.appending(path: "secrets.vault").path }
  var bytes: Data { get throws { try Data(contentsOf: URL(filePath: path)) } }

  /// Replaces the bytes of the file.
  func put(_ bytes: Data) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes)
    try file.close()
  }

  /// Opens the vault; each call acts as a restart, or as another user of the file.
  func open(_ key: VaultKey = .test(1)) -> Vault { Vault(path: path, key: key) }

  /// Returns a store of the accounts of a service.
  func accounts(_ key: VaultKey = .test(1), service: String = "tests") -> KeychainAccounts<String> {
    KeychainAccounts(service: service, in: .vault(open(key)))
  }

  func setMode(_ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}

extension VaultKey {
  /// Returns the key whose 32 bytes all have this value.
  static func test(_ number: UInt8) -> VaultKey {
    .key(secretKey(number))
  }
}

func secretKey(_ number: UInt8) -> SecretKey {
  do {
    return try [UInt8](repeating: number, count: SecretKey.size).withUnsafeBytes { try SecretKey(bytes: $0) }
  } catch { preconditionFailure("no key for the tests: \(error)") }
}

extension PassphraseCost {
  /// The lowest possible cost.
  static let least = PassphraseCost(operations: 1, memory: 8192)
}

func text(_ string: String) -> Data { Data(string.utf8) }

/// Returns the `StorageError` that `body` throws, or `nil`.
func failure<R>(_ body: () throws -> R) -> StorageError? {
  do { _ = try body() } catch { return error as? StorageError }
  return nil
}
