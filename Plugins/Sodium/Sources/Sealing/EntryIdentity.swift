import StrataCore

/// What some bytes were encrypted for: an account or an entry, say.
///
/// It is not stored with them, but they can only be decrypted by who names the same one: bytes that somebody copies
/// from one place to another are refused there, as damaged bytes are. A text will do, `for: "tokens/\(account)"`; equal
/// texts are the same identity, however their characters are composed.
public struct EntryIdentity: Hashable, Sendable {
  /// What goes into the authentication: a kind, so that no two of different kinds are equal, and the bytes.
  let bytes: [UInt8]

  private enum Kind {
    static let none: UInt8 = 0
    static let text: UInt8 = 1
    static let entry: UInt8 = 2
  }

  /// Bytes that may stand anywhere.
  public static let none = EntryIdentity(bytes: [Kind.none])

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// What a text names.
  public init(_ text: String) {
    bytes = text.withCanonicalUTF8 { [Kind.text] + $0 }
  }
}

extension EntryIdentity: ExpressibleByStringInterpolation {
  /// What a text names.
  public init(stringLiteral text: String) { self.init(text) }
}

extension EntryIdentity {
  /// The entries of one store.
  struct Domain: Hashable, Sendable {
    /// What every identity in it begins with: no part of a domain's name can be taken for one of a key's.
    private let prefix: [UInt8]

    init(_ name: String) {
      prefix = name.withCanonicalUTF8 { name in
        [Kind.entry] + withUnsafeBytes(of: UInt64(name.count).littleEndian, Array.init) + name
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
