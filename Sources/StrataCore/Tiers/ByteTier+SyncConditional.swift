// Generated from ByteTier+AsyncConditional.swift by `make twins`.
extension ByteTier: SyncConditionalStorage where Base: SyncConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object.data(), forKey: key, expiry: expiry)
  }
}
