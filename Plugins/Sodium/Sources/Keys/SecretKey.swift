internal import CSodium
import StrataCore

/// A key of 32 bytes that encrypts and decrypts, by XChaCha20-Poly1305.
///
/// Its memory is locked, guarded, and wiped when the last copy is released. The bytes are never printed, dumped or
/// encoded. Store the key in a file that only its owner can read, or derive it from a passphrase:
///
/// ```swift
/// let key = try SecretKey(file: "/etc/shop/key")
/// let sessions = try DiskStorage<String>(config: DiskConfig(name: "sessions")).encrypted(with: key)
/// ```
///
/// Each key takes one page of the memory that the process may lock. If there is none left, `init` throws
/// `.backendFailed`.
public struct SecretKey: Sendable {
  /// The number of bytes of a key.
  public static let size = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)

  /// The identifier of the key in values that it encrypted.
  public let id: KeyID
  let bytes: LockedBytes

  package init(_ bytes: LockedBytes) throws {
    guard bytes.count == Self.size else {
      throw StorageError.invalidConfiguration.with("a key has \(Self.size) bytes, not \(bytes.count)")
    }
    self.bytes = bytes
    id = bytes.fingerprint
  }

  /// Creates a new random key. Values that it encrypts are lost with it: keep it with `write(toFile:)`.
  public init() throws {
    try self.init(LockedBytes(count: Self.size) { Sodium.randomize($0) })
  }

  /// Creates a key from a copy of 32 bytes. The caller is responsible for wiping the original.
  public init(bytes: UnsafeRawBufferPointer) throws { try self.init(LockedBytes(bytes)) }

  /// Calls `body` with the 32 bytes. Bytes copied out of `body` are neither locked nor wiped.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try bytes.withUnsafeBytes(body)
  }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The id of the key only.
  public var description: String { "SecretKey \(id)" }
  /// The id of the key only.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LockedBytes {
  /// The identifier of a secret: a hash of a constant, keyed with the secret.
  fileprivate var fingerprint: KeyID {
    let purpose = Array("strata key id".utf8)
    var id: UInt64 = 0
    // The library's shortest hash has 16 bytes: an id is the first half of it.
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
