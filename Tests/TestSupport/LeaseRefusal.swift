package import Foundation
package import StrataCore
import Testing

/// Expects that a store refuses single and batched writes under a lease that has ended, and accepts all others.
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
  let updating = try #require(store as? any UpdateableStorage<String, Data>)
  await #expect(throws: StorageError.leaseLost) {
    try await lease.whileHeld { try await updating.update(forKey: "a") { $0 = Data("2".utf8) } }
  }
  #expect(try await store.objectIfPresent(forKey: "a") == Data("1".utf8))
  #expect(try await store.keys() == ["a"], "a lease is no entry")
  try await store.setObject(Data("3".utf8), forKey: "a", expiry: nil)
  #expect(try await store.objectIfPresent(forKey: "a") == Data("3".utf8))
  try await store.removeAll()
  #expect(try await store.keys() == [])
}

/// Expects that a server's store refuses a batch under a lease that has ended or covers none of its keys. Both stores
/// have the same entries.
package func expectRefusedBatches<Store: StorageAware<String, Data>>(_ one: Store, _ other: Store)
  async throws
{
  let (old, next, late) = (Data("1".utf8), Data("next".utf8), Data("late".utf8))
  let leases = (try #require(one.leases), try #require(other.leases))
  let lease = try #require(try await leases.0.acquire("a", for: .seconds(60)))
  try await lease.whileHeld {
    try await one.setObjects(["a": old, "b": old], expiry: .date(Date() + 100))
  }
  #expect(try await one.entries(forKeys: ["a", "b"]).count == 2)
  try await leases.0.release(lease, of: "a")
  let another = try #require(try await leases.1.acquire("a", for: .seconds(60)))
  try await another.whileHeld { try await other.setObjects(["a": next], expiry: nil) }
  await #expect(throws: StorageError.leaseLost) {
    try await lease.whileHeld { try await one.setObjects(["a": late, "b": late], expiry: nil) }
  }
  await #expect(throws: StorageError.leaseLost) {
    try await lease.whileHeld { try await one.setEntries(["a": Entry(object: late)]) }
  }
  let updating = try #require(one as? any UpdateableStorage<String, Data>)
  await #expect(throws: StorageError.leaseLost) {
    try await lease.whileHeld { try await updating.update(forKey: "a") { $0 = late } }
  }
  // A lease does not cover a batch without its key either.
  await #expect(throws: StorageError.leaseLost) {
    try await another.whileHeld { try await other.setObjects(["b": late], expiry: nil) }
  }
  #expect(try await one.objectIfPresent(forKey: "a") == next)
  #expect(try await one.objectIfPresent(forKey: "b") == old)
}
