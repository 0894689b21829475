import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// Tests for the faults of PingStorage, a published store of one secret.
@Suite("Faults of PingStorage that Strata does not have")
struct PingStorageFaultTests {
  @Test("PingStorage: saving deletes first, so a failed save loses the secret", arguments: strategies)
  func failedSave(_ strategy: CacheStrategy) async throws {
    let test = DelegateUnderTest(strategy)
    try await test.delegate.save(item: 1)
    test.store.fail(.write)
    await #expect(throws: Failure.first) { try await test.delegate.save(item: 2) }
    #expect(test.stored == 1)
    #expect(test.store.calls(.remove) == 0)
  }

  @Test("PingStorage: every failure to read looks like absent", arguments: strategies)
  func failedRead(_ strategy: CacheStrategy) async throws {
    let test = DelegateUnderTest(strategy)
    try test.storeDirectly(1)
    test.store.fail(.read, with: KeychainError.unableToRetrieve)
    await #expect(throws: KeychainError.unableToRetrieve) { try await test.delegate.get() }
  }

  @Test(
    "PingStorage: every failure to read looks like absent: an undecodable item too", arguments: strategies)
  func undecodable(_ strategy: CacheStrategy) async throws {
    let bytes = DictionaryStorage(["token": Data("?".utf8)])
    let delegate = StorageDelegate(bytes.transform(to: Int.self), forKey: "token", cacheStrategy: strategy)
    await #expect(throws: StorageError.typeNotMatch) { try await delegate.get() }
    #expect(bytes.objects == ["token": Data("?".utf8)])
  }

  @Test("PingStorage: deleting what is absent throws", arguments: strategies)
  func deleteAbsent(_ strategy: CacheStrategy) async throws {
    let test = DelegateUnderTest(strategy)
    for _ in 0..<2 { try await test.delegate.delete() }
    #expect(try await test.delegate.get() == nil)
  }

  @Test("PingStorage: concurrent saves leave cache and store disagreeing")
  func concurrentSaves() async throws {
    let slow = SlowStorage<DictionaryStorage<String, Int>>(DictionaryStorage())
    let delegate = StorageDelegate(slow, forKey: "item", cacheStrategy: .cache)
    for _ in 0..<10 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for item in 0..<50 { group.addTask { try await delegate.save(item: item) } }
        try await group.waitForAll()
      }
      #expect(try await delegate.get() == slow.base.objects["item"])
    }
  }
}
