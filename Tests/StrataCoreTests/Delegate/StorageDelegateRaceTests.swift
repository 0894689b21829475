import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// A delegate over a store whose operations can be suspended.
private struct SlowDelegate {
  let slow = SlowStorage<DictionaryStorage<String, Int>>(DictionaryStorage())
  let delegate: StorageDelegate<Int>

  init(_ strategy: CacheStrategy, stored: Int? = nil) throws {
    delegate = StorageDelegate(slow, forKey: "item", cacheStrategy: strategy)
    if let stored { try slow.base.setObject(stored, forKey: "item") }
  }

  var stored: Int? { slow.base.objects["item"] }

  /// Returns the cached item, with `cacheOnFailure`.
  func cached() async throws -> Int? {
    slow.base.fail(.read)
    defer { slow.base.work() }
    do { return try await delegate.get() } catch Failure.first { return nil }
  }
}

/// An operation on the store during a slow read.
enum Meanwhile: CaseIterable { case save, failedSave, delete, failedDelete, saveThenDelete }

@Suite("StorageDelegate: concurrent operations")
struct StorageDelegateRaceTests {
  @Test("a read that started before a change does not cache the old item", arguments: Meanwhile.allCases)
  func slowRead(_ meanwhile: Meanwhile) async throws {
    let test = try SlowDelegate(.cacheOnFailure, stored: 1)
    let gate = test.slow.stop(.read)
    async let read = test.delegate.get()
    await gate.arrivals(1)
    switch meanwhile {
    case .save: try await test.delegate.save(item: 2)
    case .failedSave:
      test.slow.base.fail(.write)
      await #expect(throws: Failure.first) { try await test.delegate.save(item: 2) }
    case .delete: try await test.delegate.delete()
    case .failedDelete:
      test.slow.base.fail(.remove)
      await #expect(throws: Failure.first) { try await test.delegate.delete() }
    case .saveThenDelete:
      try await test.delegate.save(item: 2)
      try await test.delegate.delete()
    }
    gate.open()
    #expect(try await read == 1)
    #expect(try await test.cached() == ([.save, .failedSave].contains(meanwhile) ? 2 : nil))
  }

  @Test("a read that ends after a later one does not replace the later one's cached item")
  func overtakenRead() async throws {
    let test = try SlowDelegate(.cacheOnFailure, stored: 1)
    let gate = test.slow.stop(.read)
    async let older = test.delegate.get()
    await gate.arrivals(1)
    try await test.slow.base.setObject(2, forKey: "item")
    #expect(try await test.delegate.get() == 2)
    gate.open()
    #expect(try await older == 1)
    #expect(try await test.cached() == 2)
  }

  @Test("reads run concurrently, also during a save", arguments: strategies)
  func parallelReads(_ strategy: CacheStrategy) async throws {
    let test = try SlowDelegate(strategy, stored: 1)
    let saving = test.slow.stop(.write)
    async let saved: Void = test.delegate.save(item: 1)
    await saving.arrivals(1)
    if strategy != .cache {
      let reading = test.slow.stop(.read, calls: 2)
      async let first = test.delegate.get()
      async let second = test.delegate.get()
      await reading.arrivals(2)
      reading.open()
      #expect(try await [first, second] == [1, 1])
    }
    #expect(try await test.delegate.get() == 1)
    saving.open()
    try await saved
  }

  @Test(
    "changes run in the order of their calls",
    arguments: [.cache, .cacheOnFailure] as [CacheStrategy])
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func order(_ strategy: CacheStrategy) async throws {
    let test = try SlowDelegate(strategy)
    let gate = test.slow.stop(.write)
    let first = Task { try await test.delegate.save(item: 1) }
    await gate.arrivals(1)
    // An immediate task enters the queue before the next statement.
    let second = Task.immediate { try await test.delegate.delete() }
    let third = Task.immediate { try await test.delegate.save(item: 3) }
    #expect(test.slow.base.calls(.remove) == 0)
    gate.open()
    for task in [first, second, third] { try await task.value }
    #expect(test.stored == 3)
    #expect(try await test.delegate.get() == 3)
  }

  @Test(
    "a save cancelled while it waits is not a failure of the store: its item is not cached",
    arguments: [.cache, .cacheOnFailure] as [CacheStrategy])
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func cancelled(_ strategy: CacheStrategy) async throws {
    let test = try SlowDelegate(strategy)
    let gate = test.slow.stop(.write)
    async let first: Void = test.delegate.save(item: 1)
    await gate.arrivals(1)
    let second = Task.immediate { try await test.delegate.save(item: 2) }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    gate.open()
    try await first
    #expect(test.stored == 1)
    #expect(try await test.cached() == 1)
  }

  @Test(
    "after hundreds of concurrent saves, deletions and reads, cache and store have the same item",
    arguments: strategies,
    0..<5)
  func agreement(_ strategy: CacheStrategy, _ round: Int) async throws {
    let test = try SlowDelegate(strategy)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for item in 0..<400 {
        group.addTask {
          switch (item + round) % 4 {
          case 0, 1: try await test.delegate.save(item: item)
          case 2: try await test.delegate.delete()
          default: _ = try await test.delegate.get()
          }
        }
      }
      try await group.waitForAll()
    }
    let stored = test.stored
    switch strategy {
    case .noCache, .cache: #expect(try await test.delegate.get() == stored)
    case .cacheOnFailure: if let cached = try await test.cached() { #expect(cached == stored) }
    }
  }
}
