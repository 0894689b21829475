import Foundation
import Strata
import TestSupport
import Testing

@Suite("A change that fails after the last tier has made it") struct HalfMadeChangeTests {
  @Test("is received by observers; a change that the last tier refuses is not", arguments: Mode.allCases)
  func observers(mode: Mode) async throws {
    let front = RefusingFront()
    let back = DictionaryStorage<String, Data>()
    let storage = Storage(front: front, back: back, transformer: .codable(Int.self))
    let log = ChangeLog(storage)
    func changes(_ value: Int) -> [@Sendable () async throws -> Void] {
      [
        { try await mode.set(storage, "a", value) },
        { try await storage.setObjects(["a": value + 1], expiry: nil) },
        { try blocking { try storage.setObjects(["a": value + 2], expiry: nil) } },
        { try await mode.update(storage, "a") { $0 += 3 } },
        { try await mode.remove(storage, "a") },
        { _ = try await storage.setIfAbsent(value + 4, forKey: "a") },
        { try await storage.removeObjects(forKeys: ["a"]) },
      ]
    }
    for (index, change) in changes(10).enumerated() {
      front.refuseNext()
      await #expect(throws: Failure.first, "change \(index)") { try await change() }
      await log.receives(2)
    }
    #expect(try await storage.objectIfPresent(forKey: "a") == nil)

    try await mode.set(storage, "a", 1)
    await log.receives(2)
    back.fail(.write, .remove)
    for (index, change) in changes(20).enumerated() where index != 5 {
      await #expect(throws: Failure.first, "change \(index)") { try await change() }
    }
    #expect(try await storage.object(forKey: "a") == 1)
    back.work()
    try await mode.set(storage, "a", 2)
    // The calls are made in order: none of a refused change came before.
    await log.receives(2)
  }
}
