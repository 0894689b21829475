public import StrataSodium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The key that opens a vault.
///
/// ```swift
/// let key = try VaultKey.passphrase(passphrase)
/// let tokens = KeychainAccounts<String>(service: "com.example.shop", in: .vault("/var/lib/shop/secrets", key: key))
/// ```
public struct VaultKey: Sendable {
  /// The source of a vault's key, as recorded in its header.
  enum Source: UInt8 {
    case passphrase = 1
    case key = 2
  }

  /// The source for a new vault, or for one whose key is changed.
  let source: Source
  /// The cost of a passphrase for a new vault.
  let cost: PassphraseCost
  /// The highest cost that an existing vault may demand before its header is authenticated.
  private let limit: PassphraseCost
  private let makeKey: @Sendable (PassphraseSalt, PassphraseCost) throws -> SecretKey

  /// A passphrase from which Argon2id derives the key. The text is copied into locked memory; the original stays in
  /// ordinary memory.
  ///
  /// - Parameters:
  ///   - passphrase: The passphrase, any text that is not empty.
  ///   - cost: The cost for a new vault, or one that gets this passphrase. An existing vault records its own.
  ///   - limit: The highest cost that an existing vault may demand. The cost in the file can only be authenticated with
  ///     the derived key, so an attacker who can write the file could demand any. A higher `cost` raises the limit.
  public static func passphrase(
    _ passphrase: String, cost: PassphraseCost = .interactive, limit: PassphraseCost = .sensitive
  ) throws -> VaultKey {
    let secret = try passphrase.withCanonicalUTF8 { try LockedBytes(UnsafeRawBufferPointer($0)) }
    return VaultKey(source: .passphrase, cost: cost, limit: limit) { salt, cost in
      try secret.withUnsafeBytes { try SecretKey(passphrase: $0, salt: salt, cost: cost) }
    }
  }

  /// A key that is already in memory.
  public static func key(_ key: SecretKey) -> VaultKey { .key { key } }

  /// The key in a file of 32 bytes, as made by `SecretKey.write(toFile:)`. The file is read when the vault is opened;
  /// only its owner may be able to read it.
  public static func keyFile(_ path: String) -> VaultKey { .key { try SecretKey(file: path) } }

  /// The key in a credential of 32 bytes, which the service manager provides in the folder `$CREDENTIALS_DIRECTORY`,
  /// for example by `LoadCredential=`. The service manager controls who may read that folder.
  public static func credential(_ name: String) -> VaultKey {
    .key {
      guard let folder = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] else {
        throw StorageError.unreachable.with(
          "the program has no credentials, since $CREDENTIALS_DIRECTORY is not set: give its service "
            + "`LoadCredential=\(name):…`, or another key to the vault")
      }
      return try CredentialFile.key(name, in: folder)
    }
  }

  static func credential(_ name: String, in folder: String) -> VaultKey {
    .key { try CredentialFile.key(name, in: folder) }
  }

  private static func key(_ read: @escaping @Sendable () throws -> SecretKey) -> VaultKey {
    // A random key needs no work factor.
    let none = PassphraseCost(operations: 0, memory: 0)
    return VaultKey(source: .key, cost: none, limit: none) { _, _ in try read() }
  }

  private init(
    source: Source, cost: PassphraseCost, limit: PassphraseCost,
    makeKey: @escaping @Sendable (PassphraseSalt, PassphraseCost) throws -> SecretKey
  ) {
    self.source = source
    self.cost = cost
    self.limit = limit
    self.makeKey = makeKey
  }

  /// Derives the keys of a vault with a salt.
  func keys(salt: PassphraseSalt, cost: PassphraseCost) throws -> VaultKeys {
    // An existing key takes no work, so the cost in the file is not checked here. A forged cost is detected when the
    // header is authenticated.
    guard source == .key || [limit, self.cost].contains(where: cost.isWithin) else {
      throw StorageError.malformedFileAttributes.with(
        "the vault demands \(cost.operations) passes over \(cost.memory) bytes of memory for its passphrase, more "
          + "than the limit of \(limit.operations) over \(limit.memory): the file is damaged, or was changed by an attacker. If the "
          + "vault was created with this cost, raise `limit` of `VaultKey.passphrase`")
    }
    return try VaultKeys(of: makeKey(salt, cost), salt: salt)
  }
}

extension PassphraseCost {
  /// Whether this cost takes no more memory and no more time than `limit`.
  fileprivate func isWithin(_ limit: PassphraseCost) -> Bool {
    memory <= limit.memory
      && Double(operations) * Double(memory) <= Double(limit.operations) * Double(limit.memory)
  }
}
