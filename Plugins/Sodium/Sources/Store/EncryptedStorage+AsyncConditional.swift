#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage: ConditionalStorage where Base: ConditionalStorage {
  /// Encrypts and stores a value if the key has none or an expired one, as an atomic operation of the inner store.
  /// Returns whether it was stored.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await rewriting.writing(.key(key)) {
      try await sealing { try await base.setIfAbsent(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Changes the expiry of a stored value as an atomic operation of the inner store. The encrypted bytes stay
  /// unchanged. Returns `false` if there is no value or it has expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await rewriting.writing(.key(key)) { try await base.touch(forKey: key, expiry: expiry) }
  }
}
