import Foundation
import Strata
import StrataSodium
import TestSupport
import Testing

/// Memory in front of an encrypted store receives the invalidations of the inner store.
@Suite(.endsInTime) struct AnnouncementTests {
  @Test func memoryInFrontReceivesInvalidations() async throws {
    let server = AnnouncingServer<Data>()
    let ring = KeyRing(try SecretKey())
    let (mine, theirs) = (AnnouncingStorage(server), AnnouncingStorage(server))
    let store = AsyncStorage(
      TypeWrapperStorage(
        HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: mine.encrypted(with: ring)),
        transformer: .data))
    let other = theirs.encrypted(with: ring)
    #expect(mine.encrypted(with: ring).invalidationSource === mine.invalidationSource)
    try await store.setObject(Data([1]), forKey: "a")
    #expect(try await store.object(forKey: "a") == Data([1]))
    try await other.setObject(Data([2]), forKey: "a", expiry: nil)
    mine.deliverAll()
    #expect(try await store.object(forKey: "a") == Data([2]))
  }
}
