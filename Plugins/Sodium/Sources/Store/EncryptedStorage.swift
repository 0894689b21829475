#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension StorageAware where Value == Data, Key: StorageKey {
  /// This store with its values encrypted, each bound to its key.
  ///
  /// ```swift
  /// let sessions = Storage(
  ///   front: MemoryStorage(), back: disk.encrypted(with: ring, domain: "sessions"),
  ///   transformer: .codable(Session.self))
  /// ```
  ///
  /// See `EncryptedStorage`. The domain is a name for the store: what is copied there from another store, under the
  /// same key and encrypted with the same secret, is refused. `onFailure` is told where a value under an old key was
  /// read, and could not be stored under the new one; `nil`: a line on standard error the first time.
  public func encrypted(
    with cipher: some Cipher, domain: String = "",
    onFailure: (@Sendable (_ key: Key, _ error: any Error) -> Void)? = nil
  ) -> EncryptedStorage<Self> {
    EncryptedStorage(self, cipher: cipher, domain: domain, onFailure: onFailure)
  }
}

/// A byte store whose values are encrypted, each bound to its key: what is moved from one key to another is refused.
///
/// Values, and nothing else: keys, expiry, and how many bytes a value has, stand in the store below as they are. A
/// value that cannot be decrypted throws `EncryptorError.failedToDecrypt` with its key, and stays as it was.
///
/// **Replacing a key.** A value is encrypted when its write has its turn, and `reencrypt` waits for the writes that
/// began under an older key: what was acknowledged needs no older key when it returns. A value that is read and was
/// encrypted with an older key of the `KeyRing` is stored again under the newest, with its expiry; `reencrypt` does so
/// with all. Neither ever overwrites what somebody else writes at the same time, if the store below has an atomic
/// `update` or all write through links of this kind in one process. A read is not failed by a store that cannot be
/// written: it returns the value, and `onFailure` is told.
///
/// A copy of the value is the same link.
public struct EncryptedStorage<Base: StorageAware>: StorageAware
where Base.Value == Data, Base.Key: StorageKey {
  /// The keys of the store below.
  public typealias Key = Base.Key
  /// Bytes, as they were before they were encrypted.
  public typealias Value = Data

  /// The store below, with the encrypted bytes.
  public let base: Base
  let cipher: any Cipher
  let domain: EntryIdentity.Domain
  @usableFromInline let rewriting: Rewriting<Base>
  /// The writes under way of all stores with this ring; of this link alone, with a cipher of another kind.
  let writes: PendingWrites

  init(
    _ base: Base, cipher: some Cipher, domain: String, onFailure: (@Sendable (Key, any Error) -> Void)?
  ) {
    self.base = base
    self.cipher = cipher
    self.domain = EntryIdentity.Domain(domain)
    rewriting = Rewriting(base, onFailure: onFailure)
    writes = (cipher as? KeyRing)?.writes ?? PendingWrites()
  }

  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// Always: errors tell nothing of what is encrypted.
  public var isConfidential: Bool { true }
  /// The clock of the store below.
  public var clock: StorageClock { base.clock }
  /// Whether the store below may block.
  public var mayBlock: Bool { base.mayBlock }
  /// The hub of the store below.
  public var hub: StorageHub<Key>? { base.hub }
  /// That of the base: memory in front of an encrypted store on a server stays true too.
  public var announcer: StorageAnnouncer<Key>? { base.announcer }
}
