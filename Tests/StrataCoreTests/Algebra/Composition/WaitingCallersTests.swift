import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// A store whose first write stops at a gate, with its thread blocked.
private final class GatedStorage: SyncSimpleStorage {
  let base = DictionaryStorage<String, Int>()
  let gate = ThreadGate()
  private let isStopped = Shared(false)

  func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
    var isFirst = false
    isStopped.change { stopped in
      isFirst = !stopped
      stopped = true
    }
    if isFirst { gate.pass() }
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

/// A store that notes the threads of its removals.
private final class ThreadStorage: SyncSimpleStorage {
  let base = DictionaryStorage<String, Int>()
  let removals = Shared<[UInt]>([])

  func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws {
    removals.change { $0.append(thisThread()) }
    try base.removeObject(forKey: key)
  }
  func removeAll() throws {
    removals.change { $0.append(thisThread()) }
    try base.removeAll()
  }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

/// A store whose reads read the chain that it is part of, in a child task.
private final class CallingStorage: SimpleStorage {
  let chain = Shared<(any StorageAware<String, Int>)?>(nil)

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    async let again = chain.value?.entryIfPresent(forKey: key)
    return try await again
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {}
  func removeObject(forKey key: String) async throws {}
  func removeAll() async throws {}
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { [] }
}

@Suite(.serialized, .timeLimit(.minutes(10)))
struct WaitingCallersTests {
  private let tasks = 8 * ProcessInfo.processInfo.activeProcessorCount

  /// Lets callers without `await` block all threads of the cooperative pool, behind a caller with `await`.
  private func check<Store: SyncStorageAware>(
    _ store: Store, _ gate: ThreadGate, waiting: @escaping @Sendable () -> Int,
    _ value: @escaping @Sendable (Int) -> Store.Value
  ) async throws where Store.Key == String {
    async let first: Void = onThread { try store.setObject(value(0), forKey: "a", expiry: nil) }
    await gate.arrival()
    let mixed = (1...tasks).map { number in
      Task {
        if number % 8 == 1 {
          try await store.setObject(value(number), forKey: "a", expiry: nil)
        } else {
          try blocking { try store.setObject(value(number), forKey: "a", expiry: nil) }
        }
      }
    }
    // From outside the pool, whose threads may all be blocked by now.
    Thread.detachNewThread {
      blockUntil { waiting() >= 2 }
      gate.open()
    }
    try await first
    for task in mixed { try await task.value }
  }

  @Test("callers of combined(with:) with and without await do not wait for each other's threads")
  func combined() async throws {
    let back = GatedStorage()
    let store = CombinedStorage(front: DictionaryStorage<String, Int>(), back: back)
    try await check(store, back.gate, waiting: { store.order.waiting(key: "a") }, { $0 })
    let stored = try blocking { try store.entryIfPresent(forKey: "a")?.object }
    #expect(stored != nil && stored == back.base.objects["a"])
  }

  @Test("a removal with await stays on its thread, and so does the clean-up after a failed write")
  func cleanUp() async throws {
    let back = DictionaryStorage<String, Int>()
    let store = CombinedStorage(front: ThreadStorage(), back: back)
    try await store.setObject(1, forKey: "a", expiry: nil)
    let (thread, result, removals) = try await Task {
      let thread = thisThread()
      try await store.removeAll()
      back.fail(.write)
      let result = await Result(of: { try await store.setObject(2, forKey: "a", expiry: nil) })
      return (thread, result, store.front.base.removals.value)
    }.value
    #expect(removals == [thread, thread])
    #expect(throws: Failure.first) { try result.get() }
  }

  @Test("callers of zip with and without await do not wait for each other's threads")
  func zipped() async throws {
    let first = GatedStorage()
    let store = ZippedStorage(first: first, second: GatedStorage())
    store.second.gate.open()
    try await check(store, first.gate, waiting: { store.changes.order.waiting(key: "a") }, { ($0, $0) })
    #expect(first.base.objects["a"] != nil && first.base.objects["a"] == store.second.base.objects["a"])
  }

  @Test("callers of pushing(to:) with and without await do not wait for each other's threads")
  func pushing() async throws {
    let back = GatedStorage()
    let store = PushingStorage(front: DictionaryStorage<String, Int>(), back: back)
    try await check(store, back.gate, waiting: { store.order.waiting(key: "a") }, { $0 })
    #expect(back.base.objects["a"] != nil && back.base.objects["a"] == store.base.objects["a"])
  }

  @Test(
    "a cancelled task leaves its queue, whether it waits by suspending or by blocking",
    arguments: [true, false])
  func cancelled(suspends: Bool) async throws {
    let order = KeyOrder<Int>(tasksSuspend: suspends)
    let holder = order.line(up: .key(1))
    let waiter = Task { try await order.withTurn(.key(1)) { () async in } }
    await until { order.waiting(key: 1) == 1 }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(order.waiting(key: 1) == 0)
    order.leave(holder)
    #expect(order.isEmpty)
  }

  @Test("a back that reads its own chain in a child task throws .deadlock instead of waiting for itself")
  func nestedRead() async throws {
    let back = CallingStorage()
    let store = DictionaryStorage<String, Int>().combined(with: back)
    back.chain.change { $0 = store }
    await #expect(throws: StorageError.deadlock) { try await store.entryIfPresent(forKey: "a") }
    // The same where the read has waited for its turn.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(throws: StorageError.deadlock) { try await store.entryIfPresent(forKey: "a") }
        }
      }
    }
  }
}
