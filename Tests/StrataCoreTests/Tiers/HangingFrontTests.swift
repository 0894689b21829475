import StrataAlgebra
import StrataCore
import TestSupport
import Testing

/// A tier whose changes hang until they are cancelled.
private struct HangingTier: SimpleStorage {
  let base = DictionaryStorage<String, Int>()
  let hangs = Shared(false)
  let hanging = Shared(0)

  private func hang() async throws {
    if !hangs.value { return }
    hanging.change { $0 += 1 }
    try await Task.sleep(for: .seconds(86_400))
  }

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try await hang()
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws {
    try await hang()
    try await base.removeObject(forKey: key)
  }
  func removeAll() async throws {
    try await hang()
    try await base.removeAll()
  }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { try await base.keys() }
}

@Suite("Two tiers: a front that hangs", .timeLimit(.minutes(1)), .endsInTime)
struct HangingFrontTests {
  enum Change: CaseIterable { case set, remove, batch, removeAll }

  private let front = HangingTier()
  private let back = DictionaryStorage<String, Int>()

  @Test(
    "a change whose task is cancelled ends while the front hangs, and says so", arguments: Change.allCases)
  func cancelled(_ change: Change) async throws {
    let tiers = front.combined(with: back)
    try await tiers.setObject(1, forKey: "a", expiry: nil)
    front.hangs.change { $0 = true }
    let writing = Cancellation.$patience.withValue(.milliseconds(20)) {
      Task {
        switch change {
        case .set: try await tiers.setObject(2, forKey: "a", expiry: nil)
        case .remove: try await tiers.removeObject(forKey: "a")
        case .batch: try await tiers.setObjects(["a": 2], expiry: nil)
        case .removeAll: try await tiers.removeAll()
        }
      }
    }
    await until { front.hanging.value > 0 }
    writing.cancel()
    await #expect(throws: (any Error).self) { try await writing.value }
    #expect(
      back.objects["a"] == (change == .remove || change == .removeAll ? nil : 2), "the back has the change")
    // The key's turn has ended, too.
    front.hangs.change { $0 = false }
    try await tiers.setObject(3, forKey: "a", expiry: nil)
    #expect(try await tiers.objectIfPresent(forKey: "a") == 3)
  }
}
