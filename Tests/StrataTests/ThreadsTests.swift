import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

/// A byte store that blocks its threads until it is released, like a slow disk.
private final class BlockingStorage: SyncSimpleStorage {
  let base = DictionaryStorage<String, Data>()
  private let open = DispatchSemaphore(value: 0)
  private let entered = Shared(0)

  /// The number of calls so far.
  var arrivals: Int { entered.value }
  func goOn(_ calls: Int) { for _ in 0..<calls { open.signal() } }

  private func block() {
    entered.change { $0 += 1 }
    open.wait()
  }

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    block()
    return try base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    block()
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

/// A serial executor for an actor that counts its jobs.
private final class CountingExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "counting")
  let jobs = Shared(0)

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.change { $0 += 1 }
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor Reader {
  private let executor: CountingExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  init(_ executor: CountingExecutor) { self.executor = executor }

  func read(_ storage: AsyncStorage<String, Int>, times: Int) async throws -> Int {
    var sum = 0
    for _ in 0..<times { sum += try await storage.object(forKey: "a") }
    return sum
  }
}

/// Serialized, since each test uses all threads.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ThreadsTests {
  private let tasks = 8 * ProcessInfo.processInfo.activeProcessorCount

  private func makeStorage(_ back: BlockingStorage) -> Storage<String, Int> {
    Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: back, transformer: Transformer<Int>.codable(Int.self)
    )
  }

  /// Lets other tasks run until a condition is fulfilled.
  private func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

  @Test("a disk that blocks does not block the cooperative pool", arguments: [Mode.async, .completion])
  func pool(mode: Mode) async throws {
    let back = BlockingStorage()
    let storage = makeStorage(back)
    let writes = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in 0..<tasks { group.addTask { try await mode.set(storage, "\(key)", key) } }
        try await group.waitForAll()
      }
    }
    await until { back.arrivals >= 4 }
    // If the calls blocked cooperative threads, none would be left for these tasks.
    for _ in 0..<tasks { #expect(await Task { true }.value) }
    back.goOn(tasks)
    try await writes.value
    #expect(try await mode.keys(storage).count == tasks)
  }

  @Test("operations that suspend let callers continue that block all cooperative threads")
  func blockedCallers() async throws {
    let back = BlockingStorage()
    let storage = makeStorage(back)
    let first = Task { try await storage.async.setObject(0, forKey: "a") }
    await until { back.arrivals == 1 }
    let more = (1...tasks).map { value in
      let suspended = Task { try await storage.async.setObject(value, forKey: "a") }
      let blocked = Task { try blocking { try storage.setObject(value, forKey: "a") } }
      return [suspended, blocked]
    }
    // From outside the pool, whose threads may all be blocked by now.
    Thread.detachNewThread { back.goOn(1 + 2 * tasks) }
    try await first.value
    for task in more.joined() { try await task.value }
    #expect(back.arrivals == 1 + 2 * tasks)
  }

  @Test("a hit in memory does not leave the caller's actor, and does not suspend")
  func noHop() async throws {
    let memoryOnly = AsyncStorage(
      TypeWrapperStorage(
        MemoryStorage<String, TypeWrapper>(), transformer: Transformer<Int>.codable(Int.self)))
    try await memoryOnly.setObject(1, forKey: "a")
    let executor = CountingExecutor()
    let reader = Reader(executor)
    #expect(try await reader.read(memoryOnly, times: 1000) == 1000)
    #expect(executor.jobs.value == 1, "one job for all: the call itself")
  }

  @Test("threads and tasks over one store share one order, even through separately created storages")
  func oneOrder() async throws {
    let disk = DictionaryStorage<String, Data>(["n": Data("0".utf8)], yields: true)
    func chain() -> TypeWrapperStorage<some SyncStorageAware<String, TypeWrapper>, Int> {
      TypeWrapperStorage(
        HybridStorage(
          front: MemoryStorage<String, TypeWrapper>(config: MemoryConfig(countLimit: 1)), back: disk),
        transformer: .codable(Int.self))
    }
    let shared = chain()
    let (storage, async, ordered) = (Storage(shared), AsyncStorage(shared), SyncStorage(shared))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { try blocking { _ = try storage.update(forKey: "n") { $0 += 1 } } }
        group.addTask { try await async.update(forKey: "n") { $0 += 1 } }
        group.addTask { try ordered.update(forKey: "n") { $0 += 1 } }
      }
      try await group.waitForAll()
    }
    #expect(try await async.object(forKey: "n") == 300)
  }

  @Test(
    "callbacks may use the synchronous and the asynchronous store without deadlock",
    arguments: ChainKind.allCases)
  func callbacks(kind: ChainKind) async throws {
    let storage = try Chains(kind).open(Int.self)
    try blocking { try storage.setObjects(["a": 1, "b": 2], expiry: nil) }
    // From a completion, with a blocking call.
    let sum = try await called { done in
      storage.async.object(forKey: "a") { a in
        done(Result { try a.get() + storage.object(forKey: "b") })
      }
    }
    #expect(sum == 3)
    // From an update, sync and async: other keys may be read and written, and its own key may be read.
    let modify: @Sendable (inout Int) throws -> Void = { value in
      value += try storage.object(forKey: "a") + storage.update(forKey: "b") { $0 += 10 }
    }
    #expect(try blocking { try storage.update(forKey: "a", modify) } == 14)
    #expect(try await storage.async.update(forKey: "a", modify) == 14 + 14 + 22)
    // An update's own key must not be written inside it.
    for mode in Mode.allCases {
      await #expect(throws: StorageError.deadlock) {
        try await mode.update(storage, "a") { _ in try storage.setObject(0, forKey: "a") }
      }
      await #expect(throws: StorageError.deadlock) {
        try await mode.update(storage, "a") { _ in try storage.removeAll() }
      }
    }
    #expect(try await Mode.sync.get(storage, "a") == 50)
  }

  @Test("`removeAll` during reads leaves no value that was read before it")
  func removeAllDuringReads() async throws {
    let back = BlockingStorage()
    let storage = makeStorage(back)
    try blocking { try back.base.setObjects(["a": Data("1".utf8), "b": Data("2".utf8)], expiry: nil) }
    let reads = ["a", "b"].map { key in Task { try await storage.async.objectIfPresent(forKey: key) } }
    await until { back.arrivals == 2 }
    let removal = Task { try await storage.async.removeAll() }
    let late = Task { try await storage.async.objectIfPresent(forKey: "a") }
    back.goOn(3)
    #expect(try await reads[0].value == 1)
    #expect(try await reads[1].value == 2)
    try await removal.value
    _ = try await late.value
    #expect(storage.peek(forKey: "a") == nil && storage.peek(forKey: "b") == nil)
    #expect(try await storage.async.keys() == [])
  }

  @Test("a task cancelled while it waits changes nothing, and the others continue")
  func cancellation() async throws {
    let back = BlockingStorage()
    let storage = makeStorage(back).async
    let first = Task { try await storage.setObject(1, forKey: "a") }
    await until { back.arrivals == 1 }
    let cancelled = Task { try await storage.setObject(2, forKey: "a") }
    let last = Task { try await storage.objectIfPresent(forKey: "a") }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    back.goOn(3)
    try await first.value
    #expect(try await last.value == 1)
  }

  @Test("an asynchronous chain works, and offers no synchronous access")
  func network() async throws {
    let server = SlowStorage(DictionaryStorage<String, Data>())
    let storage = AsyncStorage(
      TypeWrapperStorage(
        HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: server),
        transformer: Transformer<User>.codable(User.self)))
    try await storage.setObject(User(name: "Ada"), forKey: "a")
    try await storage.update(forKey: "a") { $0.visits = 1 }
    try await storage.removeInMemoryObject(forKey: "a")
    #expect(try await storage.object(forKey: "a").visits == 1)
    #expect(try await called { storage.entries(forKeys: ["a"], completion: $0) }["a"]?.object.visits == 1)
    for value in 0..<100 { storage.setObject(User(name: "\(value)"), forKey: "b") { _ in } }
    #expect(try await called { storage.object(forKey: "b", completion: $0) }.name == "99")
    try await storage.removeAll()
    #expect(try await storage.allKeys() == [])
  }
}
