import Dispatch
import Foundation
import StrataMemory
import TestSupport
import Testing

@Suite("MemoryStorage: update is one operation")
struct MemoryUpdateTests {
  typealias Memory = MemoryStorage<String, Int>

  let memory = Memory()

  @Test("it changes the stored value and returns the new one")
  func basics() throws {
    try memory.setObject(1, forKey: "a")
    #expect(try memory.update(forKey: "a") { $0 += 1 } == 2)
    #expect(try memory.object(forKey: "a") == 2)
  }

  @Test("for an absent value it throws `.notFound` without calling the closure")
  func absent() throws {
    var calls = 0
    let error = try #require(throws: StorageError.self) { try memory.update(forKey: "a") { _ in calls += 1 } }
    #expect(error == .notFound)
    #expect(error.key as? String == "a")
    #expect(calls == 0)
    #expect(memory.count == 0)
  }

  @Test("if its closure throws, nothing is changed, and the key can be used again")
  func closureThrows() throws {
    try memory.setObject(1, forKey: "a")
    #expect(throws: CancellationError.self) {
      try memory.update(forKey: "a") { value in
        value = 5
        throw CancellationError()
      }
    }
    #expect(try memory.object(forKey: "a") == 1)
    try memory.setObject(2, forKey: "a")
    #expect(try memory.update(forKey: "a") { $0 += 1 } == 3)
  }

  @Test("the expiry stays as it was, although the time goes on")
  func keepsExpiry() throws {
    let time = ManualClock()
    let memory = Memory(config: MemoryConfig(expiry: .seconds(60), clock: time.clock))
    let date = time.date.addingTimeInterval(10)
    try memory.setObject(1, forKey: "a", expiry: .seconds(10))
    try memory.setObject(1, forKey: "ever", expiry: .never)
    time.advance(by: 5)
    for key in ["a", "ever"] { try memory.update(forKey: key) { $0 += 1 } }
    #expect(try memory.entry(forKey: "a") == Entry(object: 2, expiry: .date(date)))
    #expect(try memory.entry(forKey: "ever") == Entry(object: 2, expiry: .never))
  }

  /// Operations on its own key that an update must not contain.
  enum Reentry: CaseIterable {
    case set, setMany, remove, removeMany, removeInMemory, update

    func callAsFunction(_ memory: Memory, _ key: String) throws {
      switch self {
      case .set: try memory.setObject(9, forKey: key)
      case .setMany: try memory.setObjects([key: 9], expiry: nil)
      case .remove: try memory.removeObject(forKey: key)
      case .removeMany: try memory.removeObjects(forKeys: [key])
      case .removeInMemory: try memory.removeInMemoryObject(forKey: key)
      case .update: try memory.update(forKey: key) { $0 = 9 }
      }
    }
  }

  @Test(
    "writing the same key inside the closure throws `.deadlock` and changes nothing",
    arguments: Reentry.allCases)
  func ownKey(_ reentry: Reentry) throws {
    try memory.setObject(1, forKey: "a")
    #expect(throws: StorageError.deadlock) {
      try memory.update(forKey: "a") { _ in try reentry(memory, "a") }
    }
    #expect(try memory.object(forKey: "a") == 1)
    let stored = try memory.update(forKey: "a") { value in
      value = 2
      #expect(throws: StorageError.deadlock) { try reentry(memory, "a") }
    }
    #expect(stored == 2)
    #expect(try memory.object(forKey: "a") == 2)
  }

  @Test("the closure can write other keys and read all", arguments: Reentry.allCases)
  func otherKeys(_ reentry: Reentry) throws {
    for key in ["a", "b"] { try memory.setObject(1, forKey: key) }
    let stored = try memory.update(forKey: "a") { value in
      try reentry(memory, "b")
      value += try memory.object(forKey: "a")
    }
    #expect(stored == 2)
    let other = try memory.objectIfPresent(forKey: "b")
    #expect(other == 9 || other == nil)
  }

  @Test("the closure can write the same key of another storage")
  func otherStorage() throws {
    let other = Memory()
    try memory.setObject(1, forKey: "a")
    try memory.update(forKey: "a") { try other.setObject($0, forKey: "a") }
    #expect(try other.object(forKey: "a") == 1)
  }

  @Test("a concurrent write is not lost: the closure runs again with the new value")
  func runsAgain() throws {
    try memory.setObject(1, forKey: "a")
    var seen: [Int] = []
    let stored = try memory.update(forKey: "a") { value in
      seen.append(value)
      if seen.count == 1 {
        onAnotherThread { [memory] in try? memory.setObject(10, forKey: "a", expiry: .seconds(60)) }
      }
      value += 1
    }
    #expect(seen == [1, 10])
    #expect(stored == 11)
    #expect(try memory.object(forKey: "a") == 11)
    #expect(try memory.entry(forKey: "a").expiry != .never)
  }

  @Test("a concurrent write of the same value counts as a write")
  func sameValue() throws {
    try memory.setObject(1, forKey: "a")
    var runs = 0
    try memory.update(forKey: "a") { _ in
      runs += 1
      if runs == 1 { onAnotherThread { [memory] in try? memory.setObject(1, forKey: "a") } }
    }
    #expect(runs == 2)
  }

  @Test("a concurrent read does not make the closure run again")
  func readMeanwhile() throws {
    try memory.setObject(1, forKey: "a")
    var runs = 0
    try memory.update(forKey: "a") { _ in
      runs += 1
      onAnotherThread { [memory] in _ = memory.peek(forKey: "a") }
    }
    #expect(runs == 1)
  }

  @Test("a concurrent removal makes it throw `.notFound`, and the removed value does not return")
  func removedMeanwhile() throws {
    let removals: [@Sendable (Memory) throws -> Void] = [
      { try $0.removeObject(forKey: "a") }, { try $0.removeAll() },
    ]
    for removal in removals {
      try memory.setObject(1, forKey: "a")
      #expect(throws: StorageError.notFound) {
        try memory.update(forKey: "a") { value in
          onAnotherThread { [memory] in try? removal(memory) }
          value += 1
        }
      }
      #expect(memory.count == 0)
    }
  }

  @Test("no update of many concurrent ones is lost", arguments: [1, 8])
  func manyThreads(_ keys: Int) throws {
    for key in 0..<keys { try memory.setObject(0, forKey: "\(key)") }
    DispatchQueue.concurrentPerform(iterations: 4000) { number in
      _ = try? memory.update(forKey: "\(number % keys)") { $0 += 1 }
    }
    #expect(try memory.allObjects().reduce(0, +) == 4000)
  }

  @Test("tasks and threads together lose no update")
  func tasksToo() async throws {
    try await memory.setObject(0, forKey: "a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 { group.addTask { [memory] in try memory.update(forKey: "a") { $0 += 1 } } }
      DispatchQueue.concurrentPerform(iterations: 1000) { _ in
        _ = try? memory.update(forKey: "a") { $0 += 1 }
      }
      try await group.waitForAll()
    }
    #expect(try await memory.object(forKey: "a") == 2000)
  }
}
