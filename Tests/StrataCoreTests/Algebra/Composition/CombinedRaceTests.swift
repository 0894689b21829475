import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// A back whose reads can be suspended, and throw if their task was cancelled meanwhile.
private struct CancellableStorage: SimpleStorage {
  let slow: SlowStorage<DictionaryStorage<String, Int>>

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    let entry = try await slow.entryIfPresent(forKey: key)
    try Task.checkCancellation()
    return entry
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try await slow.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await slow.removeObject(forKey: key) }
  func removeAll() async throws { try await slow.removeAll() }
  func removeExpiredObjects() async throws { try await slow.removeExpiredObjects() }
  func keys() async throws -> [String] { try await slow.keys() }
}

@Suite(.timeLimit(.minutes(10)))
struct CombinedRaceTests {
  private typealias Link = CombinedStorage<DictionaryStorage<String, Int>, CancellableStorage>

  private let front = DictionaryStorage<String, Int>()
  private let behind = DictionaryStorage<String, Int>()
  private let slow: SlowStorage<DictionaryStorage<String, Int>>
  private let link: Link

  init() {
    slow = SlowStorage(behind)
    link = CombinedStorage(front: front, back: CancellableStorage(slow: slow))
  }

  /// Returns the number of operations that wait for a key.
  private func waiting(_ key: String) -> Int { link.order.waiting(key: key) }

  enum Race: CaseIterable { case nothing, write, removal, otherKey, writeOfAnother }

  @Test(
    "a read looks again in a front that a write has reached since, and only then", arguments: Race.allCases,
    [true, false])
  func looksAgain(_ race: Race, isAwaited: Bool) async throws {
    let store = front.backed(by: DictionaryStorage(["a": 1]))
    front.afterNextRead {
      switch race {
      case .nothing: break
      case .write: try store.setObject(2, forKey: "a")
      case .removal: try store.removeObject(forKey: "a")
      case .otherKey: try store.setObject(2, forKey: "b")
      case .writeOfAnother:
        onAnotherThread { #expect(throws: Never.self) { try store.setObject(2, forKey: "a") } }
      }
    }
    let expected = race == .write || race == .writeOfAnother ? 2 : 1
    let found =
      isAwaited ? try await store.object(forKey: "a") : try blocking { try store.object(forKey: "a") }
    #expect(found == expected && front.objects["a"] == expected)
    if race == .nothing { #expect(front.calls(.read) == 1) }
  }

  enum Answer: CaseIterable { case found, absent, failed }

  @Test("a hundred concurrent misses of a key read the back once", arguments: Answer.allCases)
  func misses(answer: Answer) async throws {
    if answer == .found { try await behind.setObject(1, forKey: "a") }
    if answer == .failed { behind.fail(.read) }
    let gate = slow.stop(.read)
    let link = link
    let readers = (0..<100).map { _ in Task { try await link.objectIfPresent(forKey: "a") } }
    await gate.arrivals(1)
    await until { waiting("a") == 99 }
    gate.open()
    for reader in readers {
      if answer == .failed {
        await #expect(throws: Failure.first) { try await reader.value }
      } else {
        #expect(try await reader.value == (answer == .absent ? nil : 1))
      }
    }
    #expect(behind.calls(.read) == 1)
  }

  @Test("a later miss reads the back again: only concurrent misses share a read") func later() async throws {
    #expect(try await link.objectIfPresent(forKey: "a") == nil)
    try await behind.setObject(1, forKey: "a")
    #expect(try await link.objectIfPresent(forKey: "a") == 1)
  }

  @Test("a write between two queued reads is visible to the second") func writeBetween() async throws {
    let gate = slow.stop(.read)
    let link = link
    let first = Task { try await link.objectIfPresent(forKey: "a") }
    await gate.arrivals(1)
    let write = Task { try await link.setObject(2, forKey: "a") }
    await until { waiting("a") == 1 }
    let second = Task { try await link.objectIfPresent(forKey: "a") }
    await until { waiting("a") == 2 }
    gate.open()
    #expect(try await first.value == nil)
    try await write.value
    #expect(try await second.value == 2)
  }

  @Test(
    "cancelling a waiting caller fails no other, nor does cancelling the caller that reads for all",
    arguments: [true, false])
  func cancellation(reader: Bool) async throws {
    try await behind.setObject(1, forKey: "a")
    let gate = slow.stop(.read)
    let link = link
    let leader = Task { try await link.objectIfPresent(forKey: "a") }
    await gate.arrivals(1)
    let others = (0..<5).map { _ in Task { try await link.objectIfPresent(forKey: "a") } }
    await until { waiting("a") == 5 }
    let cancelled = reader ? leader : others[2]
    cancelled.cancel()
    if !reader { await #expect(throws: CancellationError.self) { try await cancelled.value } }
    gate.open()
    if reader { await #expect(throws: CancellationError.self) { try await cancelled.value } }
    for task in [leader] + others where task != cancelled { #expect(try await task.value == 1) }
  }

  enum Change: CaseIterable { case write, remove, removeAll, removeMany }

  @Test("a slow read never copies an old value over a newer write or a removal", arguments: Change.allCases)
  func stalePromotion(change: Change) async throws {
    try await behind.setObject(1, forKey: "a")
    let gate = slow.stop(.read)
    let link = link
    let read = Task { try await link.objectIfPresent(forKey: "a") }
    await gate.arrivals(1)
    let changed = Task {
      switch change {
      case .write: try await link.setObject(2, forKey: "a")
      case .remove: try await link.removeObject(forKey: "a")
      case .removeAll: try await link.removeAll()
      case .removeMany: try await link.removeObjects(forKeys: ["a", "b"])
      }
    }
    await until { waiting("a") == 1 || link.order.hasFence }
    gate.open()
    #expect(try await read.value == 1)
    try await changed.value
    #expect(front.objects["a"] == (change == .write ? 2 : nil))
    #expect(try await link.objectIfPresent(forKey: "a") == (change == .write ? 2 : nil))
  }

  @Test("some order of the concurrent operations explains the result of every read", arguments: 0..<40)
  func model(seed: UInt64) async throws {
    let link = link
    let front = front
    let clock = Shared(0)
    let events = Shared<[String: [HistoryEvent]]>([:])
    @Sendable func now() -> Int {
      clock.change { time in
        time += 1
        return time
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 64 &+ UInt64(worker))
          for step in 0..<10 {
            let key = ["a", "b"].randomElement(using: &random) ?? ""
            let start = now()
            let actions: [(String, HistoryEvent.Action)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3:
              try await link.setObject(worker * 100 + step, forKey: key)
              actions = [(key, .write(worker * 100 + step))]
            case 3:
              try await link.removeObject(forKey: key)
              actions = [(key, .remove)]
            case 4:
              try await link.removeAll()
              actions = [("a", .remove), ("b", .remove)]
            case 5, 6:
              // Memory may evict an entry at any time.
              try await front.removeObject(forKey: key)
              actions = []
            case 7, 8:
              let found = try await link.entries(forKeys: ["a", "b"])
              actions = ["a", "b"].map { ($0, .read(found[$0]?.object)) }
            default: actions = [(key, .read(try await link.objectIfPresent(forKey: key)))]
            }
            let end = now()
            events.change { events in
              for (key, action) in actions {
                events[key, default: []].append(
                  HistoryEvent(action, start: start, end: end, by: "\(worker)"))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for (key, events) in events.value {
      #expect(isLinearizable(events, from: nil), "\(key), seed \(seed)")
    }
  }
}
