import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// A store with everything cached.
struct PeekingStorage: SyncSimpleStorage {
  typealias Key = String
  typealias Value = Int

  let objects: [String: Int]

  init(_ objects: [String: Int]) { self.objects = objects }

  func peek(forKey key: String) -> Entry<Int>? { objects[key].map { Entry(object: $0) } }
  func entryIfPresent(forKey key: String) -> Entry<Int>? { peek(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws { throw Failure.first }
  func removeObject(forKey key: String) throws { throw Failure.first }
  func removeAll() throws { throw Failure.first }
  func removeExpiredObjects() {}
  func keys() -> [String] { Array(objects.keys) }
}
