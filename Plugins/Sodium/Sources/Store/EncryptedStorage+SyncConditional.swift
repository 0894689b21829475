// Generated from EncryptedStorage+AsyncConditional.swift by `make twins`.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage: SyncConditionalStorage where Base: SyncConditionalStorage {
  /// Encrypts and stores a value if the key has none or an expired one, as an atomic operation of the inner store.
  /// Returns whether it was stored.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try rewriting.writing(.key(key)) {
      try sealing { try base.setIfAbsent(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Changes the expiry of a stored value as an atomic operation of the inner store. The encrypted bytes stay
  /// unchanged. Returns `false` if there is no value or it has expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try rewriting.writing(.key(key)) { try base.touch(forKey: key, expiry: expiry) }
  }
}
