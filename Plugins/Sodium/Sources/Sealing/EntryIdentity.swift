import StrataCore

/// The context that bytes are encrypted for, such as an account or an entry.
///
/// ```swift
/// let token = try ring.encrypt(bytes, for: "tokens/ada")
/// let same = try ring.decrypt(token, for: "tokens/ada")
/// let other = try ring.decrypt(token, for: "tokens/grace")   // Throws `EncryptorError.failedToDecrypt`.
/// ```
///
/// It is not stored with the bytes, but decrypting them requires an equal identity: bytes copied to another place are
/// refused there, like damaged bytes. A text is enough, `for: "tokens/\(account)"`. Canonically equal texts are the
/// same identity.
public struct EntryIdentity: Hashable, Sendable {
  /// The authenticated bytes: a kind, so that identities of different kinds are never equal, then the content.
  let bytes: [UInt8]

  private enum Kind {
    static let none: UInt8 = 0
    static let text: UInt8 = 1
    static let entry: UInt8 = 2
  }

  /// The identity of bytes that may be copied anywhere.
  public static let none = EntryIdentity(bytes: [Kind.none])

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates the identity named by a text.
  public init(_ text: String) {
    bytes = text.withCanonicalUTF8 { [Kind.text] + $0 }
  }
}

extension EntryIdentity: ExpressibleByStringInterpolation {
  /// Creates the identity named by a text.
  public init(stringLiteral text: String) { self.init(text) }
}

extension EntryIdentity {
  /// The entries of one store.
  struct Domain: Hashable, Sendable {
    /// The beginning of every identity in the domain. It contains the length of the name, so that no part of the name
    /// can be confused with a key.
    private let prefix: [UInt8]

    init(_ name: String) {
      prefix = name.withCanonicalUTF8 { name in
        [Kind.entry] + [UInt8](littleEndian: UInt64(name.count)) + name
      }
    }

    func entry(_ key: some StorageKey) -> EntryIdentity {
      key.storageKey.withCanonicalUTF8 { key in
        EntryIdentity(
          bytes: [UInt8](unsafeUninitializedCapacity: prefix.count + key.count) { buffer, count in
            _ = buffer.initialize(from: prefix)
            _ = buffer.dropFirst(prefix.count).initialize(from: key)
            count = prefix.count + key.count
          })
      }
    }
  }
}
