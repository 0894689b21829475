internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension SecretKey {
  /// Derives a key from a passphrase, a salt and a cost, by Argon2id. Equal arguments give the same key.
  ///
  /// Store the salt and the cost beside the encrypted values; they are not secret. Two uses of one passphrase need
  /// different salts, or they share a key. The derivation is slow on purpose, as `cost` says: do it once, not for each
  /// operation, and not on a thread that must not block.
  ///
  /// Canonically equal texts give equal keys. A Swift string is in ordinary memory, which is not wiped. Where that
  /// matters, read the passphrase into your own memory and pass its bytes.
  public init(passphrase: String, salt: PassphraseSalt, cost: PassphraseCost = .moderate) throws {
    self = try passphrase.withCanonicalUTF8 {
      try SecretKey(passphrase: UnsafeRawBufferPointer($0), salt: salt, cost: cost)
    }
  }

  /// Derives a key from the bytes of a passphrase, which are not copied; see `init(passphrase:salt:cost:)`.
  public init(
    passphrase: UnsafeRawBufferPointer, salt: PassphraseSalt, cost: PassphraseCost = .moderate
  ) throws {
    guard !passphrase.isEmpty else {
      throw StorageError.invalidConfiguration.with("the passphrase is empty, and would protect nothing")
    }
    try cost.check()
    try self.init(
      LockedBytes(count: Self.size) { key in
        let status = salt.bytes.withUnsafeBytes { salt in
          crypto_pwhash(
            key.sodiumStart, UInt64(key.count),
            UnsafeRawPointer(passphrase.sodiumStart).assumingMemoryBound(to: CChar.self),
            UInt64(passphrase.count), salt.sodiumStart, UInt64(cost.operations), cost.memory,
            crypto_pwhash_ALG_ARGON2ID13)
        }
        guard status == 0 else {
          throw StorageError.backendFailed.with(
            "Argon2id cannot allocate \(cost.memory) bytes of memory: free some, since a lower `memory` derives another key",
            cause: POSIXError(.ENOMEM))
        }
      })
  }
}

/// Sixteen bytes, not secret, that make two keys of one passphrase differ.
///
/// ```swift
/// let salt = try PassphraseSalt()
/// let key = try SecretKey(passphrase: passphrase, salt: salt)
/// try disk.setObject(salt.data, forKey: "salt")   // Needed to derive the same key again.
/// ```
public struct PassphraseSalt: Hashable, Sendable {
  /// The number of bytes of a salt.
  public static let size = Int(crypto_pwhash_SALTBYTES)

  let bytes: [UInt8]

  /// Creates a random salt.
  public init() throws {
    try Sodium.start()
    var bytes = [UInt8](repeating: 0, count: Self.size)
    bytes.withUnsafeMutableBytes { Sodium.randomize($0) }
    self.bytes = bytes
  }

  /// Creates a salt from its stored bytes. Throws `.invalidConfiguration` unless there are 16 bytes.
  public init(_ data: some Sequence<UInt8>) throws {
    bytes = Array(data)
    guard bytes.count == Self.size else {
      throw StorageError.invalidConfiguration.with("a salt has \(Self.size) bytes, not \(bytes.count)")
    }
  }

  /// The bytes of the salt, to be stored.
  public var data: Data { Data(bytes) }
}

/// The work of deriving one key from a passphrase: it slows an attacker's guesses, and the caller.
///
/// ```swift
/// let key = try SecretKey(passphrase: passphrase, salt: PassphraseSalt(), cost: .sensitive)
/// ```
public struct PassphraseCost: Hashable, Sendable {
  /// The number of passes over the memory.
  public let operations: Int
  /// The number of bytes of memory that the derivation uses.
  public let memory: Int

  /// Creates a cost. `SecretKey.init` throws `.invalidConfiguration` unless there is at least one pass over 8 kB.
  public init(operations: Int, memory: Int) {
    self.operations = operations
    self.memory = memory
  }

  /// 64 MB, some tenths of a second: for interactive use.
  public static let interactive = PassphraseCost(operations: 2, memory: 64 << 20)
  /// 256 MB, about a second: for the start of a program.
  public static let moderate = PassphraseCost(operations: 3, memory: 256 << 20)
  /// 1 GB, some seconds: for keys that are rarely needed.
  public static let sensitive = PassphraseCost(operations: 4, memory: 1 << 30)

  func check() throws {
    guard operations >= 1, operations <= Int(UInt32.max), memory >= 8192,
      memory <= crypto_pwhash_memlimit_max()
    else {
      throw StorageError.invalidConfiguration.with(
        "Argon2id takes at least 1 operation and 8192 bytes of memory, not \(operations) and \(memory)")
    }
  }
}
