import Strata
import TestSupport

/// A store that records which of its operations were called.
final class BatchStore: SimpleStorage {
  let inner = DictionaryStorage<String, Cached<Int>>()
  let calls = Locked<[String]>([])

  private func note(_ call: String) { calls.withLock { $0.append(call) } }

  func entryIfPresent(forKey key: String) async throws -> Entry<Cached<Int>>? {
    note("entry")
    return try await inner.entryIfPresent(forKey: key)
  }
  func entries(forKeys keys: [String]) async throws -> [String: Entry<Cached<Int>>] {
    note("entries \(keys.count)")
    return try await inner.entries(forKeys: keys)
  }
  func setObject(_ object: Cached<Int>, forKey key: String, expiry: Expiry?) async throws {
    note("setObject")
    try await inner.setObject(object, forKey: key, expiry: expiry)
  }
  func setObjects(_ objects: [String: Cached<Int>], expiry: Expiry?) async throws {
    note("setObjects \(objects.count)")
    try await inner.setObjects(objects, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await inner.removeObject(forKey: key) }
  func removeAll() async throws { try await inner.removeAll() }
  func removeExpiredObjects() async throws { try await inner.removeExpiredObjects() }
  func keys() async throws -> [String] { try await inner.keys() }
}
