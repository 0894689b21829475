import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A set of keys: the newest key encrypts, and all keys decrypt. A key can be replaced while older values still need
/// it.
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
/// Changes to the ring are visible immediately, on every thread, to all stores and transformers that use it. Encrypted
/// bytes name their key by its id. A program that reads values of other writers needs a new key before they use it:
/// give it `KeyRing(newest: old, older: [new])` first.
public final class KeyRing: Sendable {
  private struct Keys: Sendable {
    var newest: SecretKey
    var all: [KeyID: SecretKey]
  }

  private let keys: Locked<Keys>
  /// The writes in progress of all stores that encrypt with this ring.
  package let writes = PendingWrites()

  /// Creates a ring of one key.
  public convenience init(_ key: SecretKey) { self.init(newest: key) }

  /// Creates a ring that encrypts with one key and decrypts with all.
  public init(newest: SecretKey, older: [SecretKey] = []) {
    var all: [KeyID: SecretKey] = [:]
    for key in older + [newest] { all[key.id] = key }
    keys = Locked(Keys(newest: newest, all: all))
  }

  /// The key that encrypts.
  public var newest: SecretKey { keys.withLock(\.newest) }

  /// The ids of all keys, the newest first.
  public var ids: [KeyID] {
    keys.withLock { keys in [keys.newest.id] + keys.all.keys.filter { $0 != keys.newest.id } }
  }

  /// Adds a key that encrypts from now on. The existing keys continue to decrypt.
  public func rotate(adding key: SecretKey) {
    keys.withLock { keys in
      keys.newest = key
      keys.all[key.id] = key
    }
    // Must follow the change of the key: a write that began before this call may use the older key.
    writes.advance()
  }

  /// Removes all keys but the newest. Values encrypted with a removed key can no longer be decrypted.
  ///
  /// Call it after `reencrypt()` of every store that uses the ring has returned without an error, and before the next
  /// `rotate`. The ring does not track bytes that a `SodiumEncryptor` or a transformer encrypted with an older key and
  /// that are not stored yet: such bytes can no longer be decrypted.
  public func removeOlder() {
    keys.withLock { keys in keys.all = [keys.newest.id: keys.newest] }
  }

  /// Returns another ring, with the keys of this one and a new key that encrypts. This ring is unchanged.
  public func rotated(adding key: SecretKey) -> KeyRing {
    KeyRing(newest: key, older: keys.withLock { Array($0.all.values) })
  }

  /// Whether the bytes were encrypted with a key that is not in this ring.
  func lacksKey(of sealed: Data) -> Bool {
    sealed.withUnsafeBytes { bytes in
      bytes.count >= Envelope.headSize
        && !keys.withLock { $0.all.keys.contains { Envelope.names($0, in: bytes, .secretKey) } }
    }
  }

  /// Returns the key with an id. Throws an error that names the missing key otherwise.
  func key(_ id: KeyID) throws -> SecretKey {
    if let key = keys.withLock({ $0.all[id] }) { return key }
    let known = ids.map(\.description).joined(separator: ", ")
    throw Envelope.refusal("it needs the key \(id), but the ring has only \(known)")
  }
}

extension KeyRing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The ids of the keys only.
  public var description: String { "KeyRing \(ids.map(\.description).joined(separator: ", "))" }
  /// The ids of the keys only.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows nothing of the keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
