#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

/// One account of a keychain: a token, a password, whoever is signed in.
///
/// ```swift
/// let keychain = Keychain<Token>(account: "api token")
/// try await keychain.save(item: token)
/// ```
///
/// What fails throws a `KeychainError` with the condition of the keychain, the platform's code and what to do about it;
/// what the encryptor throws is thrown as it is. A save puts the item in place of the old one, which stays if the save
/// fails. To delete what is not there succeeds. Saves at the same time leave one of the items, whole.
///
/// The keychain is asked on threads of its own: no call blocks the thread of its task.
public struct Keychain<Item: Codable & Sendable>: ItemStorage {
  /// The account that the item is kept for.
  public let account: String
  private let encryptor: any Encryptor
  private let accounts: KeychainAccounts<String>
  // An item is a secret: what cannot be read or written is not quoted.
  private let format = Transformer<Item>.codable(Item.self).confidential()

  /// One account of a service.
  ///
  /// - Parameters:
  ///   - encryptor: encrypts the item before the keychain sees it: for a keychain that many programs can read.
  ///   - service: whose account it is; without one, the name of the program.
  ///   - place: which keychain.
  public init(
    account: String, encryptor: any Encryptor = NoEncryptor(), service: String = KeychainService.ofProgram,
    in place: KeychainPlace = .automatic
  ) {
    self.account = account
    self.encryptor = encryptor
    accounts = KeychainAccounts(service: service, in: place)
  }

  /// Stores the item in place of what was there; throws `KeychainError.unableToSave`, and then what was there still is.
  public func save(item: Item) async throws {
    let sealed = try await encryptor.encrypt(data: encoded(item))
    try await asking(.unableToSave) { [accounts, account] in
      try accounts.setObject(sealed, forKey: account, expiry: nil)
    }
  }

  /// Reads the item; `nil` where nothing is stored. Throws `KeychainError.unableToRetrieve` where that cannot be told.
  public func get() async throws -> Item? {
    let sealed = try await asking(.unableToRetrieve) { [accounts, account] in
      try accounts.objectIfPresent(forKey: account)
    }
    guard let sealed else { return nil }
    return try decoded(try await encryptor.decrypt(data: sealed))
  }

  /// Removes the item, if there is one; throws `KeychainError.unableToDelete`.
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
        .unableToSave, reason: "it cannot be encoded as JSON", account: account, cause: error)
    }
  }

  private func decoded(_ data: Data) throws -> Item {
    do { return try format.fromData(data) } catch {
      throw KeychainError(
        .unableToRetrieve, condition: .damaged,
        reason:
          "what is stored is no \(Item.self) in JSON, or was encrypted with an encryptor that is not given here",
        account: account, cause: error)
    }
  }
}

/// Where keychains are waited for.
private enum KeychainThreads {
  static let pool = BlockingPool()
}
