import StrataCore

/// Keys of which the newest encrypts and all decrypt, so that a key can be replaced while old bytes are still there.
///
/// ```swift
/// var ring = try KeyRing(SecretKey(file: "/etc/shop/key-2026"))
/// ring = try ring.rotated(adding: SecretKey(file: "/etc/shop/key-2027"))
/// ```
///
/// A value: who has the old ring goes on writing with the old key. What is decrypted says by the id of its key which one it needs.
public struct KeyRing: Sendable {
  /// The key that encrypts.
  public let newest: SecretKey
  private let keys: [KeyID: SecretKey]

  /// A ring of one key.
  public init(_ key: SecretKey) { self.init(newest: key) }

  /// A ring that encrypts with one key, and decrypts with others too.
  public init(newest: SecretKey, older: [SecretKey] = []) {
    self.newest = newest
    var keys: [KeyID: SecretKey] = [:]
    for key in older + [newest] { keys[key.id] = key }
    self.keys = keys
  }

  /// The ids of all its keys, that of the newest first.
  public var ids: [KeyID] { [newest.id] + keys.keys.filter { $0 != newest.id } }

  /// A ring that encrypts with a further key, and still decrypts with all that this one has.
  public func rotated(adding key: SecretKey) -> KeyRing {
    KeyRing(newest: key, older: Array(keys.values))
  }

  /// A ring of the newest key alone: once everything was encrypted again, nothing needs the others.
  public func withoutOlder() -> KeyRing { KeyRing(newest) }

  /// The key with an id, or the error that says which one is missing.
  func key(_ id: KeyID) throws -> SecretKey {
    guard let key = keys[id] else {
      let known = ids.map(\.description).joined(separator: ", ")
      throw Envelope.refusal("it needs the key \(id), and there is only \(known)")
    }
    return key
  }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
  /// The ids of the keys and nothing else.
  public var description: String { "KeyRing \(ids.map(\.description).joined(separator: ", "))" }
  /// Nothing: a dump shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
