public import StrataSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What opens a vault.
public struct VaultKey: Sendable {
  /// What the key of a vault is made from, as its header names it.
  enum Source: UInt8 {
    case passphrase = 1
    case key = 2
  }

  /// What a new vault is locked with, or one whose key is changed.
  let source: Source
  /// The work that a passphrase of a new vault takes.
  let cost: PassphraseCost
  /// The most work that a vault may ask for before it is known to be one's own.
  private let limit: PassphraseCost
  private let makeKey: @Sendable (PassphraseSalt, PassphraseCost) throws -> SecretKey

  /// A passphrase, made into a key by Argon2id. The text is copied into locked memory; what was given stays where it
  /// is.
  ///
  /// - Parameters:
  ///   - cost: for a vault that is made, or gets this passphrase. One that is there says itself what it takes.
  ///   - limit: the most that a vault which is there may ask for. What its file says can only be authenticated with the
  ///     key that this work makes, so somebody who can write the file could ask for any. A cost above it raises it.
  public static func passphrase(
    _ passphrase: String, cost: PassphraseCost = .interactive, limit: PassphraseCost = .sensitive
  ) throws -> VaultKey {
    let secret = try passphrase.withCanonicalUTF8 { try LockedBytes(UnsafeRawBufferPointer($0)) }
    return VaultKey(source: .passphrase, cost: cost, limit: limit) { salt, cost in
      try secret.withUnsafeBytes { try SecretKey(passphrase: $0, salt: salt, cost: cost) }
    }
  }

  /// A key that the program has.
  public static func key(_ key: SecretKey) -> VaultKey { .key { key } }

  /// The key in a file of 32 bytes, as `SecretKey.write(toFile:)` makes it. The file is read when the vault is opened;
  /// others than its owner may not be able to.
  public static func keyFile(_ path: String) -> VaultKey { .key { try SecretKey(file: path) } }

  /// The key in a credential of 32 bytes that the service manager hands over, `LoadCredential=` say, in the folder that
  /// `$CREDENTIALS_DIRECTORY` names. Who may read that folder is up to the service manager.
  public static func credential(_ name: String) -> VaultKey {
    .key {
      guard let folder = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] else {
        throw StorageError.unreachable.with(
          "there are no credentials, since $CREDENTIALS_DIRECTORY is not set: give the service "
            + "`LoadCredential=\(name):…`, or another key to the vault")
      }
      return try CredentialFile.key(name, in: folder)
    }
  }

  static func credential(_ name: String, in folder: String) -> VaultKey {
    .key { try CredentialFile.key(name, in: folder) }
  }

  private static func key(_ read: @escaping @Sendable () throws -> SecretKey) -> VaultKey {
    // A key is as good as random: no work makes it better.
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

  /// The keys of a vault with a salt.
  func keys(salt: PassphraseSalt, cost: PassphraseCost) throws -> VaultKeys {
    // A key that is there takes no work, whatever the file says; that the file says something else is found when it is
    // authenticated.
    guard source == .key || [limit, self.cost].contains(where: cost.isWithin) else {
      throw StorageError.malformedFileAttributes.with(
        "the vault asks for \(cost.operations) passes over \(cost.memory) bytes of memory to make a key of its passphrase, more "
          + "than the limit of \(limit.operations) over \(limit.memory): it is damaged, or somebody else has written that. If the "
          + "vault was made so, raise `limit` of `VaultKey.passphrase`")
    }
    return try VaultKeys(of: makeKey(salt, cost), salt: salt)
  }
}

extension PassphraseCost {
  /// Whether this takes no more memory and no more time.
  fileprivate func isWithin(_ limit: PassphraseCost) -> Bool {
    memory <= limit.memory
      && Double(operations) * Double(memory) <= Double(limit.operations) * Double(limit.memory)
  }
}
