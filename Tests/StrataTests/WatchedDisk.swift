import Foundation
import Strata
import TestSupport

/// A byte store that may block, and records whether it is called on a caller's thread.
final class WatchedDisk: SyncSimpleStorage, SyncUpdateableStorage {
  let base = DictionaryStorage<String, Data>()
  private let calls = Shared(0)
  private let blockingCalls = Shared<[String]>([])

  /// Returns the number of calls since the last time, and the calls that blocked a task.
  func take() -> (count: Int, inTasks: [String]) {
    let count = calls.change { count in
      defer { count = 0 }
      return count
    }
    let names = blockingCalls.change { names in
      defer { names = [] }
      return names
    }
    return (count, names)
  }

  private func note(_ name: String = #function) {
    calls.change { $0 += 1 }
    // The library's own threads run no tasks, so a call inside a task blocks its caller's thread.
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    if isInTask { blockingCalls.change { $0.append(name) } }
  }

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    note()
    return try base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    note()
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws {
    note()
    try base.removeObject(forKey: key)
  }
  func removeAll() throws {
    note()
    try base.removeAll()
  }
  func removeExpiredObjects() throws {
    note()
    try base.removeExpiredObjects()
  }
  func keys() throws -> [String] {
    note()
    return try base.keys()
  }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) throws -> Data {
    note()
    var value = try base.object(forKey: key)
    try modify(&value)
    try base.setObject(value, forKey: key, expiry: nil)
    return value
  }
}
