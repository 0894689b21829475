import StrataCore
import TestSupport

/// The least a synchronous store can be: the six functions and no more.
struct MinimalSyncStorage: SyncStorageAware {
  let base: DictionaryStorage<String, Int>

  func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

/// The least an asynchronous store can be.
struct MinimalAsyncStorage: StorageAware {
  let base: DictionaryStorage<String, Int>

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try base.removeObject(forKey: key) }
  func removeAll() async throws { try base.removeAll() }
  func removeExpiredObjects() async throws { try base.removeExpiredObjects() }
  func keys() async throws -> [String] { try base.keys() }
}
