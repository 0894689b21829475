internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A key of 32 bytes that both encrypts and decrypts, by XChaCha20-Poly1305.
///
/// It lives in memory that is locked, guarded and wiped at its end, and shows itself to nobody: neither printed nor
/// dumped nor encoded. Copies of the value share that memory. Keep it in a file that only its user reads, or derive it
/// from a passphrase:
///
/// ```swift
/// let key = try SecretKey(file: "/etc/shop/key")
/// let sessions = try DiskStorage<String>(config: DiskConfig(name: "sessions")).encrypted(with: key)
/// ```
///
/// Each key takes a page of the memory that the process may lock; where there is no more, `init` throws
/// `.backendFailed`.
public struct SecretKey: Sendable {
  /// How many bytes a key has.
  public static let size = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)

  /// The name of the key in what it encrypts.
  public let id: KeyID
  let bytes: LockedBytes

  package init(_ bytes: LockedBytes) throws {
    guard bytes.count == Self.size else {
      throw StorageError.invalidConfiguration.with("a key has \(Self.size) bytes, not \(bytes.count)")
    }
    self.bytes = bytes
    id = bytes.fingerprint
  }

  /// A new key that nobody else has. What it encrypts is lost with it: `write(toFile:)` keeps it.
  public init() throws {
    try self.init(LockedBytes(count: Self.size) { Sodium.randomize($0) })
  }

  /// A key made of 32 bytes, which are copied. To wipe those that are given is up to their owner.
  public init(bytes: UnsafeRawBufferPointer) throws { try self.init(LockedBytes(bytes)) }

  /// Lends the 32 bytes. What is copied out of here is neither locked nor wiped.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try bytes.withUnsafeBytes(body)
  }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The id of the key and nothing else.
  public var description: String { "SecretKey \(id)" }
  /// The id of the key and nothing else.
  public var debugDescription: String { description }
  /// Nothing: a dump shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LockedBytes {
  /// A name for a secret: a hash of a constant with the secret as its key.
  fileprivate var fingerprint: KeyID {
    let purpose = Array("strata key id".utf8)
    var id: UInt64 = 0
    // The shortest hash of the library has 16 bytes: an id is the first half of one.
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { hash in
      withPointer { key in
        _ = crypto_generichash(
          hash.sodiumStart, hash.count, purpose, UInt64(purpose.count), key, count)
      }
      id = hash.load(as: UInt64.self)
    }
    return KeyID(id)
  }
}
