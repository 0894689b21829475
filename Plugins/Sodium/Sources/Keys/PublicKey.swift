internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A key that can encrypt but not decrypt, so that it may be published. Only the `KeyPair` it belongs to decrypts its
/// values.
///
/// ```swift
/// let inbox = disk.encrypted(with: try PublicKey(published), domain: "reports")   // Saves, and cannot read.
/// ```
///
/// The author of an encrypted value is unknown: everybody with the public key can encrypt.
public struct PublicKey: Hashable, Sendable {
  /// The number of bytes of a key.
  public static let size = Int(crypto_scalarmult_curve25519_BYTES)

  /// The identifier of the key in values that it encrypted.
  public let id: KeyID
  let bytes: [UInt8]

  /// Creates a key from its bytes, as returned by `data`. Throws `.invalidConfiguration` unless there are 32 bytes.
  public init(_ data: some Sequence<UInt8>) throws {
    try Sodium.start()
    bytes = Array(data)
    guard bytes.count == Self.size else {
      throw StorageError.invalidConfiguration.with("a public key has \(Self.size) bytes, not \(bytes.count)")
    }
    id = Self.fingerprint(bytes)
  }

  /// The bytes of the key, to be given to senders.
  public var data: Data { Data(bytes) }

  private static func fingerprint(_ bytes: [UInt8]) -> KeyID {
    let named = Array("strata public key id".utf8) + bytes
    return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { hash in
      _ = crypto_generichash(hash.sodiumStart, hash.count, named, UInt64(named.count), nil, 0)
      return KeyID(hash.load(as: UInt64.self))
    }
  }
}

extension PublicKey: CustomStringConvertible {
  /// The id of the key.
  public var description: String { "PublicKey \(id)" }
}

/// A public key and the secret key that decrypts its values.
///
/// ```swift
/// let pair = try KeyPair()
/// let inbox = disk.encrypted(with: pair.publicKey, domain: "reports")   // Given to all senders.
/// let reports = disk.encrypted(with: pair, domain: "reports")           // The receiver's.
/// ```
///
/// The secret half is a `SecretKey`, and can be stored or derived from a passphrase as usual:
/// `KeyPair(SecretKey(file: path))`. Do not use it as a secret key as well.
public struct KeyPair: Sendable {
  /// The half that may be published.
  public let publicKey: PublicKey
  /// The half that must stay secret.
  public let secretKey: SecretKey

  /// Creates the pair that belongs to an X25519 secret key.
  public init(_ secretKey: SecretKey) throws {
    self.secretKey = secretKey
    var bytes = [UInt8](repeating: 0, count: PublicKey.size)
    let status = secretKey.bytes.withPointer { crypto_scalarmult_curve25519_base(&bytes, $0) }
    guard status == 0 else {
      throw StorageError.invalidConfiguration.with(
        "no public key belongs to this secret key: create another one")
    }
    publicKey = try PublicKey(bytes)
  }

  /// Creates a new random pair.
  public init() throws { try self.init(SecretKey()) }
}

extension KeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The id of the public key only.
  public var description: String { "KeyPair \(publicKey.id)" }
  /// The id of the public key only.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows nothing of the keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
