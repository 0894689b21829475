#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage: ConditionalStorage where Base: ConditionalStorage {
  /// Encrypts and stores a value if none is stored under the key, or only one that has expired, as the atomic operation
  /// of the store below. Returns whether it was stored.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await rewriting.writing(.key(key)) {
      try await sealing { try await base.setIfAbsent(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Changes the expiry of a stored value as the atomic operation of the store below, and leaves the encrypted bytes as
  /// they are. Returns `false` if nothing is stored, or what has expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await rewriting.writing(.key(key)) { try await base.touch(forKey: key, expiry: expiry) }
  }
}

extension EncryptedStorage: SyncConditionalStorage where Base: SyncConditionalStorage {
  /// Encrypts and stores a value if none is stored under the key, or only one that has expired, as the atomic operation
  /// of the store below. Returns whether it was stored.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try rewriting.writing(.key(key)) {
      try sealing { try base.setIfAbsent(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Changes the expiry of a stored value as the atomic operation of the store below, and leaves the encrypted bytes as
  /// they are. Returns `false` if nothing is stored, or what has expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try rewriting.writing(.key(key)) { try base.touch(forKey: key, expiry: expiry) }
  }
}
