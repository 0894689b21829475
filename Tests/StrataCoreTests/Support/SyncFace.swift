import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// A chain whose synchronous functions also implement the async variants, so that every call uses them.
///
/// It can report each call before forwarding it.
struct SyncFace<Base: SyncStorageAware>: TellingStorage {
  typealias Key = Base.Key
  typealias Value = Base.Value

  let base: Base
  /// Called with the name of the function, for example `setObject(_:forKey:expiry:)`.
  var onCall: (@Sendable (String) -> Void)?

  private func called(_ name: String = #function) -> Base {
    onCall?(name)
    return base
  }

  var clock: StorageClock { base.clock }
  func peek(forKey key: Key) -> Entry<Value>? { called().peek(forKey: key) }
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { try called().entryIfPresent(forKey: key) }
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try called().setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: Key) throws { try called().removeObject(forKey: key) }
  func removeAll() throws { try called().removeAll() }
  func removeExpiredObjects() throws { try called().removeExpiredObjects() }
  func keys() throws -> [Key] { try called().keys() }
  func expiryIfPresent(forKey key: Key) throws -> Expiry? { try called().expiryIfPresent(forKey: key) }
  func removeInMemoryObject(forKey key: Key) throws { try called().removeInMemoryObject(forKey: key) }
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] { try called().entries(forKeys: keys) }
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try called().setObjects(objects, expiry: expiry)
  }
  func removeObjects(forKeys keys: [Key]) throws { try called().removeObjects(forKeys: keys) }
}
