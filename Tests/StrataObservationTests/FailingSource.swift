import StrataObservation
import StrataTestKit
import TestSupport

/// A store that announces changes, and whose reads fail on demand.
final class FailingSource: SyncSimpleStorage {
  let reads = Shared(0)
  let fails = Shared(true)
  let invalidationSource: InvalidationSource<String>? = InvalidationSource()

  func entryIfPresent(forKey key: String) throws -> Entry<String>? {
    reads.change { $0 += 1 }
    if fails.value { throw Failure.first }
    return Entry(object: "Ada")
  }
  func setObject(_ object: String, forKey key: String, expiry: Expiry?) {}
  func removeObject(forKey key: String) {}
  func removeAll() {}
  func removeExpiredObjects() {}
  func keys() -> [String] { ["a"] }
}
