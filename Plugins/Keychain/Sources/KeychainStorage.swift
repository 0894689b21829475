public import StrataCore

/// One account of a keychain behind a cache in memory, as the strategy says.
///
/// ```swift
/// let session = KeychainStorage<Session>(account: "session", cacheStrategy: .cacheOnFailure)
/// try await session.save(item: new)
/// ```
///
/// Saves and deletions are made one after the other, so that the cache and the keychain agree however many are made at
/// once. A cache holds the item in ordinary memory: with `.noCache`, nothing of it stays there.
///
/// Unchecked, because an open class cannot be checked: it adds nothing to what `StorageDelegate` stores.
open class KeychainStorage<Item: Codable & Sendable>: StorageDelegate<Item>, @unchecked Sendable {
  /// One account of a service; see `Keychain` for what the parameters mean.
  public init(
    account: String, encryptor: any Encryptor = NoEncryptor(), cacheStrategy: CacheStrategy = .noCache,
    service: String = KeychainService.ofProgram, in place: KeychainPlace = .automatic
  ) {
    super.init(
      delegate: Keychain<Item>(account: account, encryptor: encryptor, service: service, in: place),
      cacheStrategy: cacheStrategy)
  }

  /// One account of a service behind a cache that, if there is one, has only what was saved with success or read; see
  /// `StorageDelegate.init(delegate:cacheable:)`.
  public init(
    account: String, encryptor: any Encryptor = NoEncryptor(), cacheable: Bool,
    service: String = KeychainService.ofProgram, in place: KeychainPlace = .automatic
  ) {
    super.init(
      delegate: Keychain<Item>(account: account, encryptor: encryptor, service: service, in: place),
      cacheable: cacheable)
  }
}
