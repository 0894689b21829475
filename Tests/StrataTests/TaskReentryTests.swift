import Foundation
import Strata
import TestSupport
import Testing

@Suite("No operation or task deadlocks with itself", .timeLimit(.minutes(1)))
struct TaskReentryTests {
  @Test("a write from inside a write of its own key throws", arguments: OrderedLink.allCases)
  func link(_ link: OrderedLink) async throws {
    let callback = Callback()
    let chain = link.chain(callback)
    callback.set { try await chain.removeObject(forKey: "a") }
    await #expect(throws: StorageError.deadlock) { try await chain.setObject(1, forKey: "a") }
    callback.set { try await chain.setObjects(["a": 2, "b": 2], expiry: nil) }
    await #expect(throws: StorageError.deadlock) { try await chain.setObject(1, forKey: "a") }
    callback.set {}
    try await chain.setObject(3, forKey: "a")
    #expect(try await chain.object(forKey: "a") == 3, "the turns have ended")
  }

  @Test("the same holds for a store that has only two functions", arguments: OrderedPlainLink.allCases)
  func plain(_ link: OrderedPlainLink) async throws {
    let callback = Callback()
    let store = link.store(callback)
    callback.set { try await store.set(2, forKey: "a") }
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
    "the same holds for threads, and for tasks whose store calls without await",
    arguments: OrderedLink.allCases)
  func threads(_ link: OrderedLink) async throws {
    let store = BlockingCallingStorage<Int>()
    let chain = link.chain(over: store)
    for call in [
      { try chain.removeObject(forKey: "a") }, { try chain.setObjects(["a": 2, "b": 2], expiry: nil) },
    ]
      as [@Sendable () throws -> Void]
    {
      store.call(call)
      #expect(throws: StorageError.deadlock) { try blocking { try chain.setObject(1, forKey: "a") } }
      await #expect(throws: StorageError.deadlock) { try await chain.setObject(1, forKey: "a") }
    }
    store.call {}
    try await chain.setObject(3, forKey: "a")
    #expect(try await chain.object(forKey: "a") == 3, "the turns have ended")
  }

  @Test(
    "the same holds for a store whose save calls its delegate",
    arguments: [CacheStrategy.cache, .cacheOnFailure])
  func delegate(_ strategy: CacheStrategy) async throws {
    let callback = Callback()
    let delegate = StorageDelegate(CallingStorage<Int>(callback), forKey: "a", cacheStrategy: strategy)
    callback.set { try await delegate.save(item: 2) }
    await #expect(throws: StorageError.deadlock) { try await delegate.save(item: 1) }
    callback.set { try await delegate.delete() }
    await #expect(throws: StorageError.deadlock) { try await delegate.save(item: 1) }
    callback.set {}
    try await delegate.save(item: 3)
    #expect(try await delegate.get() == 3)
  }

  @Test(
    "other keys can be written from inside a write",
    arguments: [OrderedLink.combined, .pushing, .cached, .cachedOnFailure, .face])
  func otherKeys(_ link: OrderedLink) async throws {
    let callback = Callback()
    let chain = link.chain(callback)
    callback.set {
      callback.set {}
      try await chain.setObject(2, forKey: "b")
    }
    try await chain.setObject(1, forKey: "a")
    #expect(try await chain.object(forKey: "b") == 2)
  }

  @Test(
    "of two tasks whose operations wait for each other, one throws and the other continues", arguments: 0..<20
  )
  func crossing(_ round: Int) async throws {
    let left = CallingStorage<Int>(Callback())
    let right = CallingStorage<Int>(Callback())
    let leftLine = left.serial()
    let rightLine = right.serial()
    try await left.base.setObject(0, forKey: "a", expiry: nil)
    try await right.base.setObject(0, forKey: "a", expiry: nil)
    let gate = Gate(holding: 2)
    left.callback.set {
      await gate.pass()
      _ = try await rightLine.object(forKey: "a")
    }
    right.callback.set {
      await gate.pass()
      _ = try await leftLine.object(forKey: "a")
    }
    async let first = failure { try await leftLine.setObject(1, forKey: "a") }
    async let second = failure { try await rightLine.setObject(1, forKey: "a") }
    await gate.arrivals(2)
    gate.open()
    let failures = await [first, second].compactMap(\.self)
    #expect(failures.count == 1)
    #expect(failures.first as? StorageError == .deadlock)
  }

  private func failure(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }
}
