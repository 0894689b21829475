import Foundation
import Strata
import Synchronization

/// A byte store that keeps the last value, whatever the key, at almost no cost.
final class OneValue: SyncSimpleStorage {
  private let value = Mutex(Data?.none)
  let mayBlock = false

  func entryIfPresent(forKey key: String) -> Entry<Data>? { value.withLock { $0 }.map { Entry(object: $0) } }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) { value.withLock { $0 = object } }
  func removeObject(forKey key: String) { value.withLock { $0 = nil } }
  func removeAll() { value.withLock { $0 = nil } }
  func removeExpiredObjects() {}
  func keys() -> [String] { [] }
}
