#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataDelegate

extension KeychainAccounts {
  /// Returns the secret of an account, or `nil`. The secret may have expired.
  public func read(_ key: Key, _ how: How) throws -> Entry<Data>? {
    guard try how.mayRead() else { return nil }
    return try using("read the secret", key) { place, service in
      let account = key.storageKey.canonical
      return try place.read([account], of: service)[account].map(Entry.init)
    }
  }

  /// Returns the secrets of several accounts; a vault reads them from one state of its file.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Data>] {
    guard try how.mayRead() else { return [:] }
    return try using("read the secrets") { place, service in
      let accounts = keys.map(\.storageKey.canonical)
      let secrets = try place.read(accounts, of: service)
      var found: [Key: Entry<Data>] = [:]
      for (key, account) in zip(keys, accounts) { found[key] = secrets[account].map(Entry.init) }
      return found
    }
  }

  /// Returns a page of the accounts of all secrets of the service that have not expired, in no order. The first page
  /// lists all accounts.
  ///
  /// Accounts that the key type cannot decode, or encodes differently, are omitted.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try KeyPage(after: cursor, limit: limit) {
      try using("list the secrets") { place, service in
        let now = clock.now.timeIntervalSince1970
        return try place.dates(of: service).compactMap { account, date in
          guard date.map({ $0 > now }) ?? true, let key = Key(storageKey: account), key.storageKey == account
          else { return nil }
          return key
        }
      }
    }
  }
}

extension Entry<Data> {
  init(_ secret: StoredSecret) {
    self.init(object: secret.value, expiry: Expiry(secondsSince1970: secret.date))
  }
}
