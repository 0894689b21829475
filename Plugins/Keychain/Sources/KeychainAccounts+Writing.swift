#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataDelegate

extension KeychainAccounts {
  /// Stores a secret in place of the old one. Without `expiry`, the store's default applies.
  ///
  /// If it throws, the old secret is still there.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    try using("store the secret", key) { place, service in
      try place.save([key.storageKey.canonical: object], until: deadline(expiry), of: service)
    }
  }

  /// Stores several secrets: in a vault all or none; elsewhere one after the other, up to the first that fails.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    try using("store the secrets") { place, service in
      var secrets: [String: Data] = [:]
      for (key, object) in objects { secrets[key.storageKey.canonical] = object }
      try place.save(secrets, until: deadline(expiry), of: service)
    }
  }

  /// Removes the secret of an account, if there is one.
  public func removeObject(forKey key: Key) throws {
    try using("remove the secret", key) { place, service in
      try place.delete([key.storageKey.canonical], of: service)
    }
  }

  /// Removes the secrets of several accounts; in a vault atomically.
  public func removeObjects(forKeys keys: [Key]) throws {
    try using("remove the secrets") { place, service in
      try place.delete(keys.map(\.storageKey.canonical), of: service)
    }
  }

  /// Removes all secrets of the service, also of accounts that the key type cannot decode. Other services are
  /// unchanged.
  public func removeAll() throws {
    try using("remove all secrets") { place, service in try place.deleteAll(of: service) }
  }

  /// Removes expired secrets.
  public func removeExpiredObjects() throws {
    try using("remove the expired secrets") { place, service in
      try place.sweep(service, at: clock.now.timeIntervalSince1970)
    }
  }

  private func deadline(_ expiry: Expiry?) -> Deadline? {
    guard case .date(let date) = (expiry ?? self.expiry).resolved(by: clock) else { return nil }
    return Deadline(date: date.timeIntervalSince1970, remaining: date.timeIntervalSince(clock.now))
  }
}
