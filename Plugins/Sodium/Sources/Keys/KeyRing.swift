import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keys of which the newest encrypts and all decrypt, so that a key can be replaced while old bytes are still there.
///
/// ```swift
/// let ring = try KeyRing(SecretKey(file: "/etc/shop/key-2026"))
/// let sessions = disk.encrypted(with: ring)
///
/// try ring.rotate(adding: SecretKey(file: "/etc/shop/key-2027"))  // From here on the new key encrypts.
/// try sessions.reencrypt()                                        // Now nothing needs the old one any more.
/// ring.removeOlder()
/// ```
///
/// All that was given the ring sees at once what is done to it, on any thread. What is decrypted says by the id of its
/// key which one it needs. A program that reads what others write must know a new key before they use it: give it
/// `KeyRing(newest: old, older: [new])` first.
public final class KeyRing: Sendable {
  private struct Keys: Sendable {
    var newest: SecretKey
    var all: [KeyID: SecretKey]
  }

  private let keys: Locked<Keys>
  /// The writes of the stores that encrypt with this ring.
  package let writes = PendingWrites()

  /// A ring of one key.
  public convenience init(_ key: SecretKey) { self.init(newest: key) }

  /// A ring that encrypts with one key, and decrypts with others too.
  public init(newest: SecretKey, older: [SecretKey] = []) {
    var all: [KeyID: SecretKey] = [:]
    for key in older + [newest] { all[key.id] = key }
    keys = Locked(Keys(newest: newest, all: all))
  }

  /// The key that encrypts.
  public var newest: SecretKey { keys.withLock(\.newest) }

  /// The ids of all its keys, that of the newest first.
  public var ids: [KeyID] {
    keys.withLock { keys in [keys.newest.id] + keys.all.keys.filter { $0 != keys.newest.id } }
  }

  /// Encrypts with a further key from now on, and goes on decrypting with those that are there.
  public func rotate(adding key: SecretKey) {
    keys.withLock { keys in
      keys.newest = key
      keys.all[key.id] = key
    }
    // After that: a write that began before this may have the older key.
    writes.advance()
  }

  /// Forgets all keys but the newest: what another encrypted can then be decrypted no more.
  ///
  /// Call it when `reencrypt()` of every store that the ring serves has returned without an error, and before the next
  /// `rotate`. Bytes that a `SodiumEncryptor` or a transformer encrypted under an older key, and that are not stored
  /// yet, are lost: nothing here knows when those are stored.
  public func removeOlder() {
    keys.withLock { keys in keys.all = [keys.newest.id: keys.newest] }
  }

  /// Another ring, with the keys of this one and a further one that encrypts. This one stays as it is.
  public func rotated(adding key: SecretKey) -> KeyRing {
    KeyRing(newest: key, older: keys.withLock { Array($0.all.values) })
  }

  /// Whether a key that bytes need is none of these.
  func lacksKey(of sealed: Data) -> Bool {
    sealed.withUnsafeBytes { bytes in
      bytes.count >= Envelope.headSize
        && !keys.withLock { $0.all.keys.contains { Envelope.names($0, in: bytes, .secretKey) } }
    }
  }

  /// The key with an id, or the error that says which one is missing.
  func key(_ id: KeyID) throws -> SecretKey {
    if let key = keys.withLock({ $0.all[id] }) { return key }
    let known = ids.map(\.description).joined(separator: ", ")
    throw Envelope.refusal("it needs the key \(id), and there is only \(known)")
  }
}

extension KeyRing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The ids of the keys and nothing else.
  public var description: String { "KeyRing \(ids.map(\.description).joined(separator: ", "))" }
  /// The ids of the keys and nothing else.
  public var debugDescription: String { description }
  /// Nothing: a dump shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
