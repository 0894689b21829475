import Foundation
import StrataCore
import StrataEngines
import TestSupport
import Testing

/// A change of an entry whose old value is stored in parts is committed first, and the parts are removed afterwards.
@Suite("EngineStorage: a change that is committed does not fail if parts of the old value remain")
struct EngineTidyingTests {
  enum Change: CaseIterable {
    case set, batch, setIfAbsent, update, remove, removeMany, removeAll

    /// Makes the change of the entry "a". `.setIfAbsent` replaces an entry that has expired.
    func make(in store: SortedStorage) throws {
      switch self {
      case .set: try store.setObject(EngineTidyingTests.new, forKey: "a")
      case .batch:
        try store.setObjects(["a": EngineTidyingTests.new, "b": EngineTidyingTests.new], expiry: nil)
      case .setIfAbsent: #expect(try store.change("a", .setIfAbsent(EngineTidyingTests.new, nil), []))
      case .update: try store.update(forKey: "a") { $0 = EngineTidyingTests.new }
      case .remove: try store.removeObject(forKey: "a")
      case .removeMany: try store.removeObjects(forKeys: ["a", "b"])
      case .removeAll: try store.removeAll()
      }
    }

    var isRemoval: Bool { [.remove, .removeMany, .removeAll].contains(self) }
  }

  static let new = Data("new".utf8)

  @Test(arguments: Change.allCases, [0, 1 << 30])
  func leavesPartsForTheSweep(_ change: Change, _ maxSize: UInt) async throws {
    let (engine, time) = (SortedEngine(), ManualClock())
    let store = try SortedStorage(engine, maxSize: maxSize, clock: time.clock)
    func parts() -> Int { engine.keys.count { $0.first == UInt8(ascii: "?") } }
    try await store.write(
      forKey: "a", expiry: change == .setIfAbsent ? .seconds(10) : nil, from: PartSequence(noise(1_000_000)))
    if change == .setIfAbsent { time.advance(by: 11) }
    #expect(parts() == 4)
    engine.writesLeft = 1
    try change.make(in: store)
    #expect(try await store.objectIfPresent(forKey: "a") == (change.isRemoval ? nil : Self.new))
    #expect(parts() == 4)
    engine.writesLeft = .max
    try await store.removeExpiredObjects()
    #expect(parts() == 0)
    #expect(try await store.objectIfPresent(forKey: "a") == (change.isRemoval ? nil : Self.new))
  }

  @Test("a sweep throws if it cannot remove the parts: nothing else tells its caller")
  func sweep() async throws {
    let engine = SortedEngine()
    let store = try SortedStorage(engine)
    try await store.write(forKey: "a", from: PartSequence(noise(1_000_000)))
    engine.writesLeft = 1
    try await store.removeObject(forKey: "a")
    #expect(throws: StorageError.backendFailed) { try store.removeExpiredObjects() }
  }
}
