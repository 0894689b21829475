internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A key that encrypts and cannot decrypt: it may be given to anybody. Only the `KeyPair` it belongs to reads what it
/// wrote.
///
/// ```swift
/// let inbox = disk.encrypted(with: try PublicKey(published), domain: "reports")   // Saves, and cannot read.
/// ```
///
/// Who encrypted something is not known: whoever has the public key can.
public struct PublicKey: Hashable, Sendable {
  /// How many bytes a key has.
  public static let size = Int(crypto_scalarmult_curve25519_BYTES)

  /// The name of the key in what it encrypts.
  public let id: KeyID
  let bytes: [UInt8]

  /// The key with these bytes, as `data` has them; throws `.invalidConfiguration` unless there are 32.
  public init(_ data: some Sequence<UInt8>) throws {
    try Sodium.start()
    bytes = Array(data)
    guard bytes.count == Self.size else {
      throw StorageError.invalidConfiguration.with("a public key has \(Self.size) bytes, not \(bytes.count)")
    }
    id = Self.fingerprint(bytes)
  }

  /// The bytes, to be given to those who are to encrypt.
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

/// A public key and the secret one that reads what it wrote.
///
/// The secret half is a `SecretKey`, so it is kept, and derived from a passphrase, as any:
/// `KeyPair(SecretKey(file: path))`. Use it for this alone, and not as a secret key as well.
public struct KeyPair: Sendable {
  /// The half that may be given to anybody.
  public let publicKey: PublicKey
  /// The half that must not.
  public let secretKey: SecretKey

  /// The pair that belongs to a secret key (of X25519).
  public init(_ secretKey: SecretKey) throws {
    self.secretKey = secretKey
    var bytes = [UInt8](repeating: 0, count: PublicKey.size)
    let status = secretKey.bytes.withPointer { crypto_scalarmult_curve25519_base(&bytes, $0) }
    guard status == 0 else {
      throw StorageError.invalidConfiguration.with("no public key belongs to this secret key")
    }
    publicKey = try PublicKey(bytes)
  }

  /// A new pair that nobody else has.
  public init() throws { try self.init(SecretKey()) }
}

extension KeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The id of the public key and nothing else.
  public var description: String { "KeyPair \(publicKey.id)" }
  /// The id of the public key and nothing else.
  public var debugDescription: String { description }
  /// Nothing: a dump shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
