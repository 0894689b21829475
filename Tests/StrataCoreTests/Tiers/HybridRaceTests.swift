import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// A way to read the key "a".
enum Reading: CaseIterable {
  case one, many

  func read(_ link: some SyncStorageAware<String, Int>) throws -> Int? {
    switch self {
    case .one: try link.entryIfPresent(forKey: "a")?.object
    case .many: try link.entries(forKeys: ["a", "b"])["a"]?.object
    }
  }

  func read(_ link: some StorageAware<String, Int>) async throws -> Int? {
    switch self {
    case .one: try await link.entryIfPresent(forKey: "a")?.object
    case .many: try await link.entries(forKeys: ["a", "b"])["a"]?.object
    }
  }
}

/// Tests a change of a key while a read of its old value from the back is in progress. The change waits for the read or
/// wins, and the read must not copy the old value to the front afterwards.
@Suite("HybridStorage: a change of a key during a slow read", .timeLimit(.minutes(10)))
struct HybridRaceTests {
  typealias Front = DictionaryStorage<String, TypeWrapper>
  typealias Back = DictionaryStorage<String, Data>

  let front = Front()
  let back = Back(["a": HybridUnderTest.data(1), "b": HybridUnderTest.data(1)])

  /// Starts a change. Returns when it waits for its turn, or has ended.
  private func start(
    _ order: KeyOrder<String>, _ change: @escaping @Sendable () async throws -> Void
  ) async -> Task<Void, any Error> {
    let isDone = Locked(false)
    let task = Task {
      defer { isDone.withLock { $0 = true } }
      try await change()
    }
    await until { order.isAwaited || isDone.withLock { $0 } }
    return task
  }

  private func expectNothingOld(after change: KeyedChange) throws {
    let inBack = try back.objects.mapValues(HybridUnderTest.number)
    let inFront = try front.objects.mapValues { try HybridUnderTest.number($0.data()) }
    switch change {
    case .set, .setMany: #expect(inBack == ["a": 2, "b": 2])
    case .remove, .removeMany, .removeAll: #expect(inBack == [:])
    }
    #expect(inFront == inBack)
  }

  @Test("tasks: the front never has the old value", arguments: KeyedChange.allCases, Reading.allCases)
  func tasks(_ change: KeyedChange, _ reading: Reading) async throws {
    let slow = SlowStorage(back)
    let hybrid = HybridStorage(front: front, back: slow)
    let link = TypeWrapperStorage(hybrid, transformer: .codable(Int.self))
    let gate = slow.stop(.read)
    let reader = Task { try await reading.read(link) }
    await gate.arrivals(1)
    let writer = await start(hybrid.tiers.order) { try await change.make(in: link) }
    gate.open()
    #expect(try await reader.value == 1)
    try await writer.value
    try expectNothingOld(after: change)
  }

  @Test("threads: the front never has the old value", arguments: KeyedChange.allCases, Reading.allCases)
  func threads(_ change: KeyedChange, _ reading: Reading) async throws {
    let hybrid = HybridStorage(front: front, back: back)
    let link = TypeWrapperStorage(hybrid, transformer: .codable(Int.self))
    let gate = ThreadGate()
    back.afterNextRead { gate.pass() }
    let reader = Task { try await onThread { try reading.read(link) } }
    await gate.arrival()
    let writer = await start(hybrid.tiers.order) { try await onThread { try change.make(in: link) } }
    gate.open()
    #expect(try await reader.value == 1)
    try await writer.value
    try expectNothingOld(after: change)
  }

  @Test("a thread and a task: the front never has the old value", arguments: KeyedChange.allCases)
  func threadAndTask(_ change: KeyedChange) async throws {
    let hybrid = HybridStorage(front: front, back: back)
    let link = TypeWrapperStorage(hybrid, transformer: .codable(Int.self))
    let gate = ThreadGate()
    back.afterNextRead { gate.pass() }
    let reader = Task { try await onThread { try Reading.one.read(link) } }
    await gate.arrival()
    let asynchronous: any StorageAware<String, Int> = link
    let writer = await start(hybrid.tiers.order) { try await change.make(in: asynchronous) }
    gate.open()
    #expect(try await reader.value == 1)
    try await writer.value
    try expectNothingOld(after: change)
  }

  @Test("a slow read delays neither other keys nor values in front")
  func otherKeys() async throws {
    let slow = SlowStorage(back)
    let hybrid = HybridStorage(front: front, back: slow)
    let link = TypeWrapperStorage(hybrid, transformer: .codable(Int.self))
    try await link.setObject(7, forKey: "front")
    let gate = slow.stop(.read)
    let reader = Task { try await Reading.one.read(link) }
    await gate.arrivals(1)
    try await link.setObject(3, forKey: "c")
    #expect(try await link.object(forKey: "c") == 3)
    #expect(try await link.object(forKey: "front") == 7)
    #expect(try await link.object(forKey: "b") == 1)
    try await link.removeObject(forKey: "b")
    gate.open()
    #expect(try await reader.value == 1)
  }

  @Test("concurrent misses of a key read the back once")
  func oneLoad() async throws {
    let slow = SlowStorage(back)
    let link = TypeWrapperStorage(HybridStorage(front: front, back: slow), transformer: .codable(Int.self))
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 { group.addTask { try await Reading.one.read(link) } }
      for try await number in group { #expect(number == 1) }
    }
    #expect(back.calls(.read) == 1)
  }

  @Test("a caller cancelled while it waits changes nothing and delays no other")
  func cancelled() async throws {
    let slow = SlowStorage(back)
    let hybrid = HybridStorage(front: front, back: slow)
    let link = TypeWrapperStorage(hybrid, transformer: .codable(Int.self))
    let gate = slow.stop(.read)
    let reader = Task { try await Reading.one.read(link) }
    await gate.arrivals(1)
    let writer = await start(hybrid.tiers.order) { try await link.setObject(2, forKey: "a") }
    writer.cancel()
    await #expect(throws: CancellationError.self) { try await writer.value }
    gate.open()
    #expect(try await reader.value == 1)
    #expect(try await link.object(forKey: "a") == 1)
    try await link.setObject(3, forKey: "a")
    #expect(try await link.object(forKey: "a") == 3)
  }

  @Test("tasks: the tiers have the same values in the end")
  func manyTasks() async throws {
    let link = TypeWrapperStorage(
      HybridStorage(front: front, back: SlowStorage(back)), transformer: .codable(Int.self))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask {
          _ = try await Reading.many.read(link)
          try await KeyedChange.allCases[number % 5].make(in: link, number)
          _ = try await Reading.one.read(link)
        }
      }
      try await group.waitForAll()
    }
    try expectAgreement()
  }

  @Test("threads: the tiers have the same values in the end")
  func manyThreads() throws {
    let link = TypeWrapperStorage(HybridStorage(front: front, back: back), transformer: .codable(Int.self))
    for _ in 0..<20 {
      let failures = Locked(0)
      DispatchQueue.concurrentPerform(iterations: 200) { number in
        do {
          _ = try Reading.one.read(link)
          try KeyedChange.allCases[number % 5].make(in: link, number)
          _ = try Reading.many.read(link)
        } catch {
          failures.withLock { $0 += 1 }
        }
      }
      #expect(failures.withLock { $0 } == 0)
      try expectAgreement()
    }
  }

  /// Expects every entry of the front to be in the back with the same value.
  private func expectAgreement() throws {
    let bytes = back.objects
    for (key, wrapper) in front.objects { #expect(try wrapper.data() == bytes[key]) }
  }
}
