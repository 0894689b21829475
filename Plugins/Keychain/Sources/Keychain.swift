#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataDelegate

/// One account of a keychain, for example a token, a password or the signed-in user.
///
/// ```swift
/// let keychain = Keychain<Token>(account: "api token")
/// try await keychain.save(item: token)
/// ```
///
/// Failures throw a `KeychainError` with the condition of the keychain, the platform's code and advice. Errors of the
/// encryptor are rethrown unchanged. `save` replaces the old item, which stays if the save fails. Deleting an absent
/// item succeeds. Concurrent saves leave one complete item.
///
/// The keychain is called on a separate thread pool: no method blocks the thread of its task.
public struct Keychain<Item: Codable & Sendable>: ItemStorage {
  /// The account of the item.
  public let account: String
  private let encryptor: any Encryptor
  private let accounts: KeychainAccounts<String>
  // Confidential: errors must not quote an item.
  private let format = Transformer<Item>.codable(Item.self).confidential()

  /// Creates access to one account of a service.
  ///
  /// - Parameters:
  ///   - account: The name of the account.
  ///   - encryptor: Encrypts the item before it is stored, for a keychain that many programs can read.
  ///   - service: The service of the account; by default the name of the program.
  ///   - place: The keychain.
  public init(
    account: String, encryptor: any Encryptor = NoEncryptor(), service: String = KeychainService.ofProgram,
    in place: KeychainPlace = .automatic
  ) {
    self.account = account
    self.encryptor = encryptor
    accounts = KeychainAccounts(service: service, in: place)
  }

  /// Stores the item in place of the old one. If it throws `KeychainError.unableToSave`, the old item is unchanged.
  public func save(item: Item) async throws {
    let sealed = try await encryptor.encrypt(data: encoded(item))
    try await asking(.unableToSave) { [accounts, account] in
      try accounts.setObject(sealed, forKey: account, expiry: nil)
    }
  }

  /// Returns the item, or `nil` if there is none. Throws `KeychainError.unableToRetrieve` if the keychain cannot be
  /// read.
  public func get() async throws -> Item? {
    try await entry()?.object
  }

  /// Removes the item, if there is one. Throws `KeychainError.unableToDelete`.
  public func delete() async throws {
    try await asking(.unableToDelete) { [accounts, account] in try accounts.removeObject(forKey: account) }
  }

  private func asking<R: Sendable>(
    _ kind: KeychainError.Kind, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    do {
      return try await KeychainThreads.pool.run(body)
    } catch let error as StorageError {
      throw KeychainError(kind, error, account: account)
    }
  }

  private func encoded(_ item: Item) throws -> Data {
    do { return try format.toData(item) } catch {
      throw KeychainError(
        .unableToSave, reason: "the item cannot be encoded as JSON", account: account, cause: error)
    }
  }

  private func decoded(_ data: Data) throws -> Item {
    do { return try format.fromData(data) } catch {
      throw KeychainError(
        .unableToRetrieve, condition: .damaged,
        reason:
          "the stored bytes are not a \(Item.self) in JSON, or were encrypted and this encryptor does not decrypt them",
        account: account, cause: error)
    }
  }
}

/// Lets a cache in front use the expiry of an item that a `KeychainAccounts` has stored.
extension Keychain: ExpiringItemStorage {
  package var clock: StorageClock { accounts.clock }
  package var design: any StorageDesign { accounts }
  package var savesExpire: Bool { false }

  package func entry() async throws -> Entry<Item>? {
    let sealed = try await asking(.unableToRetrieve) { [accounts, account] in
      try accounts.entryIfPresent(forKey: account)
    }
    guard let sealed, !sealed.expiry.isExpired(by: clock) else { return nil }
    return Entry(object: try decoded(try await encryptor.decrypt(data: sealed.object)), expiry: sealed.expiry)
  }

  package func expiryIfPresent() async throws -> Expiry? {
    try await asking(.unableToRetrieve) { [accounts, account] in try accounts.expiryIfPresent(forKey: account)
    }
  }
}

/// The threads that wait for keychains.
private enum KeychainThreads {
  static let pool = BlockingPool()
}
