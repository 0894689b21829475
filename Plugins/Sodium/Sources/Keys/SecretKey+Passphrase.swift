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
  /// The key that a passphrase, a salt and a cost make, by Argon2id: always the same one.
  ///
  /// Keep the salt and the cost beside what is encrypted; they are no secrets. A different salt for each use keeps two
  /// uses of one passphrase from sharing a key. This takes as long as the cost says, on purpose; do it once, not for
  /// every operation, and not on a thread that must not wait.
  ///
  /// Equal texts make equal keys, however their characters are composed. A Swift string lies in ordinary memory, which
  /// is not wiped: where that matters, read the passphrase into memory of your own and pass its bytes.
  public init(passphrase: String, salt: PassphraseSalt, cost: PassphraseCost = .moderate) throws {
    self = try passphrase.withCanonicalUTF8 {
      try SecretKey(passphrase: UnsafeRawBufferPointer($0), salt: salt, cost: cost)
    }
  }

  /// The key that the bytes of a passphrase make; see `init(passphrase:salt:cost:)`. They are not copied.
  public init(
    passphrase: UnsafeRawBufferPointer, salt: PassphraseSalt, cost: PassphraseCost = .moderate
  ) throws {
    guard !passphrase.isEmpty else {
      throw StorageError.invalidConfiguration.with("an empty passphrase protects nothing")
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
            "Argon2id found no \(cost.memory) bytes of memory: a lower `memory` makes another key; free some",
            cause: POSIXError(.ENOMEM))
        }
      })
  }
}

/// What makes two keys of one passphrase differ: 16 bytes, no secret.
public struct PassphraseSalt: Hashable, Sendable {
  /// How many bytes a salt has.
  public static let size = Int(crypto_pwhash_SALTBYTES)

  let bytes: [UInt8]

  /// A new salt.
  public init() throws {
    try Sodium.start()
    var bytes = [UInt8](repeating: 0, count: Self.size)
    bytes.withUnsafeMutableBytes { Sodium.randomize($0) }
    self.bytes = bytes
  }

  /// The salt that was kept as bytes; throws `.invalidConfiguration` unless there are 16.
  public init(_ data: some Sequence<UInt8>) throws {
    bytes = Array(data)
    guard bytes.count == Self.size else {
      throw StorageError.invalidConfiguration.with("a salt has \(Self.size) bytes, not \(bytes.count)")
    }
  }

  /// The bytes, to be kept.
  public var data: Data { Data(bytes) }
}

/// How much work it is to try one passphrase: for whoever guesses, and for you.
public struct PassphraseCost: Hashable, Sendable {
  /// How often the memory is gone over.
  public let operations: Int
  /// How many bytes of memory it takes, meanwhile.
  public let memory: Int

  /// A cost; `SecretKey.init` throws `.invalidConfiguration` unless there is at least one pass over 8 kB.
  public init(operations: Int, memory: Int) {
    self.operations = operations
    self.memory = memory
  }

  /// 64 MB, some tenths of a second: for a person who waits.
  public static let interactive = PassphraseCost(operations: 2, memory: 64 << 20)
  /// 256 MB, about a second: for a program that starts.
  public static let moderate = PassphraseCost(operations: 3, memory: 256 << 20)
  /// 1 GB, some seconds: for what is hardly ever unlocked.
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
