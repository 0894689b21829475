import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// A minimal synchronous store, with the six required functions only.
struct MinimalSyncStorage: SyncSimpleStorage {
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

/// A minimal asynchronous store.
struct MinimalAsyncStorage: SimpleStorage {
  let base: DictionaryStorage<String, Int>

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await base.removeObject(forKey: key) }
  func removeAll() async throws { try await base.removeAll() }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [String] { try await base.keys() }
}
