#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A synchronous store that is always called through its synchronous functions, without `await`.
struct BlockingStore: UpdateableStorage, ConditionalStorage {
  let base: any SyncStorageAware<String, Data>

  var clock: StorageClock { base.clock }
  func peek(forKey key: String) -> Entry<Data>? { base.peek(forKey: key) }
  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    try withoutSuspending { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try withoutSuspending { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) async throws {
    try withoutSuspending { try base.removeObject(forKey: key) }
  }
  func removeAll() async throws { try withoutSuspending { try base.removeAll() } }
  func removeExpiredObjects() async throws { try withoutSuspending { try base.removeExpiredObjects() } }
  func keys() async throws -> [String] { try withoutSuspending { try base.keys() } }
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try withoutSuspending { try base.keyPage(after: cursor, limit: limit) }
  }

  func expiryIfPresent(forKey key: String) async throws -> Expiry? {
    try withoutSuspending { try base.expiryIfPresent(forKey: key) }
  }
  func removeInMemoryObject(forKey key: String) async throws {
    try withoutSuspending { try base.removeInMemoryObject(forKey: key) }
  }
  func replaceObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try withoutSuspending { try base.replaceObject(object, forKey: key, expiry: expiry) }
  }
  func entries(forKeys keys: [String]) async throws -> [String: Entry<Data>] {
    try withoutSuspending { try base.entries(forKeys: keys) }
  }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) async throws {
    try withoutSuspending { try base.setObjects(objects, expiry: expiry) }
  }
  func setEntries(_ entries: [String: Entry<Data>]) async throws {
    try withoutSuspending { try base.setEntries(entries) }
  }
  func removeObjects(forKeys keys: [String]) async throws {
    try withoutSuspending { try base.removeObjects(forKeys: keys) }
  }

  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    guard let base = base as? any SyncUpdateableStorage<String, Data> else { throw NotPromised() }
    return try withoutSuspending { try base.update(forKey: key, modify) }
  }
  func setIfAbsent(_ object: Data, forKey key: String, expiry: Expiry?) async throws -> Bool {
    guard let base = base as? any SyncConditionalStorage<String, Data> else { throw NotPromised() }
    return try withoutSuspending { try base.setIfAbsent(object, forKey: key, expiry: expiry) }
  }
  func touch(forKey key: String, expiry: Expiry) async throws -> Bool {
    guard let base = base as? any SyncConditionalStorage<String, Data> else { throw NotPromised() }
    return try withoutSuspending { try base.touch(forKey: key, expiry: expiry) }
  }
}
