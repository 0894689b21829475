import Strata
import TestSupport
import Testing

/// How a store that is being written calls the chain above it.
private enum Caller: CaseIterable, Sendable {
  case asyncLet, taskGroup, unstructured, grandchild

  func call(_ body: @escaping @Sendable () async throws -> Void) async throws {
    switch self {
    case .asyncLet:
      async let child: Void = body()
      try await child
    case .taskGroup:
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await body() }
        try await group.waitForAll()
      }
    case .unstructured: try await Task { try await body() }.value
    case .grandchild: try await Caller.asyncLet.call { try await Caller.taskGroup.call(body) }
    }
  }
}

/// The delegates that change an item in turns.
private enum Delegate: CaseIterable, Sendable {
  case cache, cacheOnFailure, cacheable

  func over(_ store: CallingStorage<Int>) -> StorageDelegate<Int> {
    switch self {
    case .cache: StorageDelegate(store, forKey: "a", cacheStrategy: .cache)
    case .cacheOnFailure: StorageDelegate(store, forKey: "a", cacheStrategy: .cacheOnFailure)
    case .cacheable: StorageDelegate(delegate: store.item(forKey: "a"), cacheable: true)
    }
  }
}

@Suite("Operations and the tasks that they start do not deadlock", .ends(within: .seconds(60)))
struct ChildTaskReentryTests {
  @Test(
    "a write by a task for which a write of the same key waits throws", arguments: OrderedLink.allCases,
    Caller.allCases)
  private func link(_ link: OrderedLink, _ caller: Caller) async throws {
    let callback = Callback()
    let chain = link.chain(callback)
    for call in [{ try await chain.removeObject(forKey: "a") }, { try await chain.removeAll() }]
      as [@Sendable () async throws -> Void]
    {
      callback.set { try await caller.call(call) }
      await #expect(throws: StorageError.deadlock) { try await chain.setObject(1, forKey: "a") }
    }
    callback.set {}
    try await chain.setObject(3, forKey: "a")
    #expect(try await chain.object(forKey: "a") == 3, "the turns have ended")
  }

  @Test(
    "the same holds in stores of two functions", arguments: OrderedPlainLink.allCases, Caller.allCases)
  private func plain(_ link: OrderedPlainLink, _ caller: Caller) async throws {
    let callback = Callback()
    let store = link.store(callback)
    callback.set { try await caller.call { try await store.set(2, forKey: "a") } }
    await #expect { try await store.set(1, forKey: "a") } throws: { error in
      // The other part of a pair has been written, and cannot be taken back: the error says that too.
      let cause = link == .zipped ? (error as? StorageError)?.cause : error
      return cause as? StorageError == .deadlock
    }
    callback.set {}
    try await store.set(3, forKey: "a")
    #expect(try await store.retrieve(forKey: "a") == 3, "the turns have ended")
  }

  @Test(
    "the same holds for a store whose save calls its delegate", arguments: Delegate.allCases, Caller.allCases)
  private func delegate(_ kind: Delegate, _ caller: Caller) async throws {
    let callback = Callback()
    let delegate = kind.over(CallingStorage<Int>(callback))
    for call in [{ try await delegate.save(item: 2) }, { try await delegate.delete() }]
      as [@Sendable () async throws -> Void]
    {
      callback.set { try await caller.call(call) }
      await #expect(throws: StorageError.deadlock) { try await delegate.save(item: 1) }
    }
    callback.set {}
    try await delegate.save(item: 3)
    #expect(try await delegate.get() == 3)
  }

  @Test(
    "such a task may write other keys",
    arguments: [OrderedLink.combined, .pushing, .cached, .cachedOnFailure, .face], Caller.allCases)
  private func otherKeys(_ link: OrderedLink, _ caller: Caller) async throws {
    let callback = Callback()
    let chain = link.chain(callback)
    callback.set {
      callback.set {}
      try await caller.call { try await chain.setObject(2, forKey: "b") }
    }
    try await chain.setObject(1, forKey: "a")
    #expect(try await chain.object(forKey: "b") == 2)
  }

  @Test("a detached task waits for the end of the write, and writes then", arguments: OrderedLink.allCases)
  func detached(_ link: OrderedLink) async throws {
    let callback = Callback()
    let chain = link.chain(callback)
    let started = Shared<Task<Void, any Error>?>(nil)
    callback.set {
      callback.set {}
      started.change { $0 = Task.detached { try await chain.setObject(2, forKey: "a") } }
    }
    try await chain.setObject(1, forKey: "a")
    try await started.value?.value
    #expect(try await chain.object(forKey: "a") == 2)
  }

  @Test("a task that an observer starts waits for the end of the write, and then writes")
  func observers() async throws {
    let storage = Storage<String, Int>(
      TypeWrapperStorage(MemoryStorage<String, TypeWrapper>(), transformer: .codable(Int.self)))
    let callback = Callback()
    let serial = CallingStorage<Int>(callback).serial()
    let started = Shared<Task<Void, any Error>?>(nil)
    let isAboutToCall = Shared(false)
    let observer = Shared(0)
    let token = storage.addStorageObserver(observer) { _, _, _ in
      started.change {
        $0 = Task {
          isAboutToCall.change { $0 = true }
          try await serial.setObject(2, forKey: "b")
        }
      }
    }
    defer { token.cancel() }
    callback.set {
      callback.set {}
      try await storage.async.setObject(1, forKey: "a")
      while !isAboutToCall.value { await Task.yield() }
      // Enough time for the task to enter the queue, or to be refused if it counted as a part of this write.
      for _ in 0..<1000 { await Task.yield() }
    }
    try await serial.setObject(1, forKey: "a")
    try await started.value?.value
    #expect(try await serial.object(forKey: "b") == 2)
  }
}
