import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines

/// A store that declares that it may block.
struct BlockingFace<Base: SyncStorageAware>: SyncSimpleStorage {
  typealias Key = Base.Key
  typealias Value = Base.Value

  let base: Base

  var clock: StorageClock { base.clock }
  var mayBlock: Bool { true }
  func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: Key) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [Key] { try base.keys() }
}
