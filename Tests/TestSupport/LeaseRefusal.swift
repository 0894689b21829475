package import Foundation
package import StrataCore
import Testing

/// Expects that a store refuses writes under a lease that has ended, by themselves and in a batch, and no others.
package func expectRefusalsWithoutLease(_ store: some SyncStorageAware<String, Data>) async throws {
  let leases = try #require(store.leases)
  let lease = try #require(try await leases.acquire("a", for: .seconds(100)))
  try await lease.whileHeld { try await store.setObject(Data("1".utf8), forKey: "a", expiry: nil) }
  try await leases.release(lease, of: "a")
  await #expect(throws: StorageError.leaseLost) {
    try await lease.whileHeld { try await store.setObject(Data("2".utf8), forKey: "a", expiry: nil) }
  }
  await #expect(throws: StorageError.leaseLost) {
    try await lease.whileHeld { try await store.setObjects(["a": Data("2".utf8)], expiry: nil) }
  }
  #expect(try await store.objectIfPresent(forKey: "a") == Data("1".utf8))
  #expect(try await store.keys() == ["a"], "a lease is no entry")
  try await store.setObject(Data("3".utf8), forKey: "a", expiry: nil)
  #expect(try await store.objectIfPresent(forKey: "a") == Data("3".utf8))
  try await store.removeAll()
  #expect(try await store.keys() == [])
}
