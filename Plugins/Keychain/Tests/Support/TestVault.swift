import Foundation
import StrataKeychain
import TestSupport

/// The file of a vault, in a folder of its own.
struct TestVault {
  let folder = TemporaryFolder().url

  var path: String { folder.appending(path: "secrets.vault").path }
  var bytes: Data { get throws { try Data(contentsOf: URL(filePath: path)) } }

  /// Puts other bytes into the file, as it is.
  func put(_ bytes: Data) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes)
    try file.close()
  }

  /// Opens it; each call is a restart, or another user of the file.
  func open(_ key: VaultKey = .test(1)) -> Vault { Vault(path: path, key: key) }

  /// The accounts of a service in it.
  func accounts(_ key: VaultKey = .test(1), service: String = "tests") -> KeychainAccounts<String> {
    KeychainAccounts(service: service, in: .vault(open(key)))
  }

  func setMode(_ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}

extension VaultKey {
  /// One of as many keys as there are bytes.
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
  /// As little work as there can be.
  static let least = PassphraseCost(operations: 1, memory: 8192)
}

func text(_ string: String) -> Data { Data(string.utf8) }

/// The error that a body throws, if it is one of a store's.
func failure<R>(_ body: () throws -> R) -> StorageError? {
  do { _ = try body() } catch { return error as? StorageError }
  return nil
}
