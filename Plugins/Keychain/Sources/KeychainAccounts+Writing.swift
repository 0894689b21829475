#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataDelegate

extension KeychainAccounts {
  /// Stores a secret in place of the old one, or removes it. Without an expiry, the store's default applies.
  ///
  /// If it throws, the old secret is still there. A condition is checked before the write: other writers may write in
  /// between.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) throws -> Bool {
    try how.refuseAtOnce()
    guard let change = try unconditional(change, forKey: key) else { return false }
    switch change.kind {
    case .set(let expiry), .replace(let expiry):
      try using("store the secret", key) { place, service in
        try place.save([key.storageKey.canonical: change.object], until: deadline(expiry), of: service)
      }
    case .remove:
      try using("remove the secret", key) { place, service in
        try place.delete([key.storageKey.canonical], of: service)
      }
    // A change whose condition holds is one without a condition now.
    case .setIfAbsent, .touch, .forget: break
    }
    return true
  }

  /// Stores or removes several secrets: in a vault all or none; elsewhere one after the other, up to the first that
  /// fails. Secrets with different expiries are stored by separate calls.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) throws {
    try how.refuseAtOnce()
    if case .remove(let keys) = batch {
      return try using("remove the secrets") { place, service in
        try place.delete(keys.map(\.storageKey.canonical), of: service)
      }
    }
    try using("store the secrets") { place, service in
      for (expiry, objects) in batch.byExpiry {
        try place.save(objects.mapKeys(\.storageKey.canonical), until: deadline(expiry), of: service)
      }
    }
  }

  /// Removes all secrets of the service, also of accounts that the key type cannot decode, or the expired ones. Other
  /// services are unchanged.
  public func clear(_ extent: StoreExtent) throws {
    switch extent {
    case .everything: try using("remove all secrets") { place, service in try place.deleteAll(of: service) }
    case .expired:
      try using("remove the expired secrets") { place, service in
        try place.sweep(service, at: clock.now.timeIntervalSince1970)
      }
    }
  }

  private func deadline(_ expiry: Expiry?) -> Deadline? {
    guard case .date(let date) = resolved(expiry) else { return nil }
    return Deadline(date: date.timeIntervalSince1970, remaining: date.timeIntervalSince(clock.now))
  }
}
