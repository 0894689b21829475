public import StrataDelegate

/// One account of a keychain, behind an in-memory cache with a configurable strategy.
///
/// ```swift
/// let session = KeychainStorage<Session>(account: "session", cacheStrategy: .cacheOnFailure)
/// try await session.save(item: new)
/// ```
///
/// Saves and deletions run one after the other, so that concurrent calls leave the cache and the keychain in agreement.
/// A cache holds the item in ordinary memory; with `.noCache`, no copy stays there.
///
/// Unchecked, since the compiler cannot check an open class: it adds no stored properties to `StorageDelegate`.
open class KeychainStorage<Item: Codable & Sendable>: StorageDelegate<Item>, @unchecked Sendable {
  /// Creates storage for one account of a service; see `Keychain` for the parameters.
  public init(
    account: String, encryptor: any Encryptor = NoEncryptor(), cacheStrategy: CacheStrategy = .noCache,
    service: String = KeychainService.ofProgram, in place: KeychainPlace = .automatic
  ) {
    super.init(
      delegate: Keychain<Item>(account: account, encryptor: encryptor, service: service, in: place),
      cacheStrategy: cacheStrategy)
  }

  /// Creates storage for one account of a service. If `cacheable` is `true`, a cache holds the item after a successful
  /// save or read; see `StorageDelegate.init(delegate:cacheable:)`.
  public init(
    account: String, encryptor: any Encryptor = NoEncryptor(), cacheable: Bool,
    service: String = KeychainService.ofProgram, in place: KeychainPlace = .automatic
  ) {
    super.init(
      delegate: Keychain<Item>(account: account, encryptor: encryptor, service: service, in: place),
      cacheable: cacheable)
  }
}
