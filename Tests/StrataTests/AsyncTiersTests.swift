import Foundation
import Strata
import TestSupport
import Testing

/// `AsyncStorage(front:back:transformer:)` over an asynchronous back.
@Suite struct AsyncTiersTests {
  private let bytes = DictionaryStorage<String, Data>()
  private let memory = MemoryStorage<String, TypeWrapper>()

  private func open(_ back: SlowStorage<DictionaryStorage<String, Data>>) -> AsyncStorage<String, [Int]> {
    AsyncStorage(front: memory, back: back, transformer: .codable([Int].self))
  }

  @Test func theFrontHasTheObjectAndTheBackTheBytes() async throws {
    let storage = open(SlowStorage(bytes))
    try await storage.setObject([1, 2], forKey: "a")
    #expect(bytes.objects["a"] == Data("[1,2]".utf8))
    #expect(storage.peek(forKey: "a")?.object == [1, 2])
    #expect(try await storage.object(forKey: "a") == [1, 2])
    #expect(bytes.calls(.read) == 0)

    try await storage.removeObject(forKey: "a")
    #expect(bytes.objects.isEmpty)
    #expect(try await storage.objectIfPresent(forKey: "a") == nil)
  }

  @Test func concurrentMissesReadTheBackOnce() async throws {
    try blocking { try bytes.setObject(Data("[3]".utf8), forKey: "a") }
    let slow = SlowStorage(bytes)
    let storage = open(slow)
    let gate = slow.stop(.read)
    try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<20 { group.addTask { try await storage.object(forKey: "a") } }
      await gate.arrivals(1)
      gate.open()
      for try await found in group { #expect(found == [3]) }
    }
    #expect(bytes.calls(.read) == 1)
    #expect(storage.peek(forKey: "a")?.object == [3])
  }

  @Test func failuresOfTheBackAreThrown() async throws {
    let storage = open(SlowStorage(bytes))
    try await storage.setObject([1], forKey: "a")
    bytes.fail(.write)
    await #expect(throws: Failure.first) { try await storage.setObject([2], forKey: "a") }
    #expect(storage.peek(forKey: "a") == nil)
    #expect(try await storage.object(forKey: "a") == [1])
  }
}
