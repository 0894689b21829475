#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension StorageAware where Value == Data, Key: StorageKey {
  /// Returns a store that encrypts its values and binds each to its key.
  ///
  /// ```swift
  /// let sessions = Storage(
  ///   front: MemoryStorage(), back: disk.encrypted(with: ring, domain: "sessions"),
  ///   transformer: .codable(Session.self))
  /// ```
  ///
  /// See `EncryptedStorage`. `domain` is a name for the store. A value copied here from a store with another domain is
  /// refused, even under the same key and with the same secret key. `onFailure` is called when a value that uses an
  /// older key was read but could not be stored with the newest key. If it is `nil`, the first failure prints a line to
  /// standard error.
  public func encrypted(
    with cipher: some Cipher, domain: String = "",
    onFailure: (@Sendable (_ key: Key, _ error: any Error) -> Void)? = nil
  ) -> EncryptedStorage<Self> {
    EncryptedStorage(self, cipher: cipher, domain: domain, onFailure: onFailure)
  }
}

/// A byte store that encrypts its values and binds each to its key: a value moved to another key is refused.
///
/// ```swift
/// let secrets = disk.encrypted(with: ring, domain: "sessions")
/// try ring.rotate(adding: SecretKey())   // New values are encrypted with the new key from now on,
/// try secrets.reencrypt()                // and all others after this.
/// ```
///
/// Only values are encrypted. Keys, expiries and the sizes of values are visible in the inner store. A value that
/// cannot be decrypted throws `EncryptorError.failedToDecrypt` with its key, and is left unchanged.
///
/// **Replacing a key.** A write encrypts its value within its turn, and `reencrypt` waits for the writes that began
/// with an older key. When `reencrypt` returns, no acknowledged value needs an older key. Reading a value that uses an
/// older key of the `KeyRing` stores it again with the newest key and its expiry; `reencrypt` does so for all values.
/// Neither of them overwrites a concurrent write if the inner store has an atomic `update`, or if all writers use
/// encrypted stores in one process. If storing the value again fails, the read still returns the value, and calls
/// `onFailure`.
///
/// Copies of this value are the same store.
public struct EncryptedStorage<Base: StorageAware>: StorageAware
where Base.Value == Data, Base.Key: StorageKey {
  /// The type of the inner store's keys.
  public typealias Key = Base.Key
  /// The type of values before encryption: bytes.
  public typealias Value = Data

  /// The inner store, which holds the encrypted bytes.
  public let base: Base
  let cipher: any Cipher
  let domain: EntryIdentity.Domain
  @usableFromInline let rewriting: Rewriting<Base>
  /// The writes in progress: of all stores that share the `KeyRing`, or of this store alone if the cipher is of another
  /// type.
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

  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// Always `true`: errors must not quote encrypted values.
  public var isConfidential: Bool { true }
  /// The clock of the inner store.
  public var clock: StorageClock { base.clock }
  /// Whether the inner store may block.
  public var mayBlock: Bool { base.mayBlock }
  /// The coordinator of the inner store.
  public var coordinator: StorageCoordinator<Key>? { base.coordinator }
  /// The invalidation source of the inner store: memory in front of an encrypted store on a server stays coherent too.
  public var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }
}

extension EncryptedStorage {
  /// With `await`, an operation may suspend: it may wait for the renewal of a value.
  public var traits: StoreTraits { .suspending }
}

extension EncryptedStorage: ConditionalStorage where Base: ConditionalStorage {}

extension EncryptedStorage: SyncConditionalStorage where Base: SyncConditionalStorage {}
