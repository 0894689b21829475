import Foundation
import StrataMemory
import Testing

@testable import Strata
@testable import StrataCore

/// An operation of `Storage` over two tiers takes the turn of the store, and none of the tiers.
@Suite("One turn for each operation")
struct OneTurnTests {
  private typealias Tiers = HybridStorage<MemoryStorage<String, TypeWrapper>, MemoryStorage<String, Data>>

  enum Step: CaseIterable {
    case write, update, miss, absence, removal, awaitedWrite, awaitedMiss
  }

  @Test(arguments: Step.allCases)
  func turns(_ step: Step) async throws {
    let back = MemoryStorage<String, Data>()
    let storage = Storage(front: MemoryStorage<String, TypeWrapper>(), back: back, transformer: .data)
    guard case .sync(let observed) = storage.chain.tier else {
      Issue.record("the chain is synchronous")
      return
    }
    let tiers = try #require(observed.inner.base as? Tiers).tiers.order
    let store = storage.chain.coordinator.order
    if step != .absence { try fill(back) }
    let (inTiers, inStore) = (tiers.mark(of: "a"), store.mark(of: "a"))
    switch step {
    case .awaitedWrite: try await storage.async.setObject(Data([2]), forKey: "a")
    case .awaitedMiss: #expect(try await storage.async.object(forKey: "a") == Data([1]))
    default: try run(step, storage)
    }
    // A turn begins and ends under the lock of the key's shard.
    #expect(store.mark(of: "a") == inStore + 2)
    #expect(tiers.mark(of: "a") == inTiers)
  }

  private func fill(_ back: MemoryStorage<String, Data>) throws { try back.setObject(Data([1]), forKey: "a") }

  private func run(_ step: Step, _ storage: Storage<String, Data>) throws {
    switch step {
    case .update: try storage.update(forKey: "a") { $0.append(2) }
    case .miss: #expect(try storage.object(forKey: "a") == Data([1]))
    case .absence: #expect(try storage.objectIfPresent(forKey: "a") == nil)
    case .removal: try storage.removeObject(forKey: "a")
    default: try storage.setObject(Data([2]), forKey: "a")
    }
  }
}
