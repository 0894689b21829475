import Foundation
import Strata
import TestSupport
import Testing

/// A store that behaves like a server: calls from a cancelled task fail. It can cancel the calling task.
private final class Cancellable: SimpleStorage {
  let base = DictionaryStorage<String, Int>()
  /// Called after a write.
  let onWrite = Shared<(@Sendable () async -> Void)?>(nil)
  /// Called before a write.
  let beforeWrite = Shared<(@Sendable () async -> Void)?>(nil)

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    try Task.checkCancellation()
    return try blocking { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    await beforeWrite.value?()
    try Task.checkCancellation()
    try blocking { try base.setObject(object, forKey: key, expiry: expiry) }
    await onWrite.value?()
  }
  func removeObject(forKey key: String) async throws {
    try Task.checkCancellation()
    try blocking { try base.removeObject(forKey: key) }
  }
  func removeAll() async throws {
    try Task.checkCancellation()
    try blocking { try base.removeAll() }
    await onWrite.value?()
  }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { try blocking { try base.keys() } }
}

/// Runs a task that can cancel itself.
private func cancellable(
  _ body: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> Void
) async -> Result<Void, any Error> {
  let task = Shared<Task<Void, any Error>?>(nil)
  let isKnown = Gate(holding: 1)
  let running = Task {
    await isKnown.pass()
    try await body { task.value?.cancel() }
  }
  task.change { $0 = running }
  await isKnown.arrivals(1)
  isKnown.open()
  return await running.result
}

@Suite("State after a failed write") struct CleanUpTests {
  @Test(
    "a front that refuses a write keeps its value, in front of a store that is only read",
    arguments: [true, false])
  func refusedInFrontOfBacked(isSync: Bool) async throws {
    let front = DictionaryStorage<String, Int>()
    let chain: any StorageAware<String, Int> =
      isSync
      ? front.backed(by: DictionaryStorage(["a": 0]))
      : SlowStorage(front).backed(by: DictionaryStorage(["a": 0]))
    try await chain.setObject(1, forKey: "a", expiry: nil)
    front.fail(.write)
    await #expect(throws: Failure.first) { try await chain.setObject(2, forKey: "a", expiry: nil) }
    await #expect(throws: Failure.first) { try await chain.setObjects(["a": 2], expiry: nil) }
    front.work()
    #expect(try await chain.objectIfPresent(forKey: "a") == 1)
    if let chain = chain as? any SyncStorageAware<String, Int> {
      front.fail(.write)
      #expect(throws: Failure.first) { try blocking { try chain.setObject(2, forKey: "a") } }
      #expect(throws: Failure.first) { try blocking { try chain.setObjects(["a": 2], expiry: nil) } }
      front.work()
      #expect(try blocking { try chain.objectIfPresent(forKey: "a") } == 1)
    }
  }

  @Test("a write cancelled between two tiers leaves no old value in front")
  func cancelledCombined() async throws {
    let (front, back) = (Cancellable(), Cancellable())
    let chain = front.combined(with: back)
    try await chain.setObjects(["a": 1, "b": 1], expiry: nil)
    let result = await cancellable { cancel in
      back.onWrite.change { $0 = { cancel() } }
      try await chain.setObject(2, forKey: "a", expiry: nil)
    }
    #expect(throws: Never.self, "an operation that has begun is finished") { try result.get() }
    #expect(back.base.objects["a"] == 2)
    #expect(try await chain.object(forKey: "a") == 2)
    let many = await cancellable { cancel in
      back.onWrite.change { $0 = { cancel() } }
      try await chain.setObjects(["b": 2], expiry: nil)
    }
    #expect(throws: Never.self) { try many.get() }
    #expect(try await chain.object(forKey: "b") == 2)
    let removed = await cancellable { cancel in
      front.onWrite.change { $0 = { cancel() } }
      front.base.fail(.write, with: CancellationError())
      back.onWrite.change { $0 = nil }
      try await chain.setObject(3, forKey: "a", expiry: nil)
    }
    front.base.work()
    front.onWrite.change { $0 = nil }
    #expect(throws: CancellationError.self, "a store's own is a failure") { try removed.get() }
    #expect(try await chain.object(forKey: "a") == 3)
  }

  @Test("`removeAll` cancelled between two tiers leaves nothing in front")
  func cancelledRemoval() async throws {
    let (front, back) = (Cancellable(), Cancellable())
    let chain = front.combined(with: back)
    try await chain.setObject(1, forKey: "a", expiry: nil)
    _ = await cancellable { cancel in
      back.onWrite.change { $0 = { cancel() } }
      try await chain.removeAll()
    }
    #expect(try await chain.objectIfPresent(forKey: "a") == nil)
  }

  @Test("a cancelled write between two stores that only write leaves no old value in front")
  func cancelledPlain() async throws {
    let (front, back) = (Cancellable(), Cancellable())
    func plain(_ store: Cancellable) -> some ReadableStorage<String, Int> & WritableStorage<String, Int> {
      store.transformingStorages(readable: { $0.readOnly() }, writable: { $0.writeOnly() })
    }
    let chain = plain(front).combined(with: plain(back))
    try await chain.set(1, forKey: "a")
    _ = await cancellable { cancel in
      back.onWrite.change { $0 = { cancel() } }
      try await chain.set(2, forKey: "a")
    }
    #expect(back.base.objects["a"] == 2)
    #expect(try await chain.retrieve(forKey: "a") == 2)
  }

  @Test("if one half of a pair is cancelled, the other is restored")
  func cancelledZip() async throws {
    let (one, two) = (Cancellable(), Cancellable())
    let pairs = StrataCore.zip(one, two)
    try await pairs.setObject((1, 1), forKey: "a", expiry: nil)
    let isWritten = Gate(holding: 1)
    let result = await cancellable { cancel in
      one.onWrite.change {
        $0 = {
          cancel()
          isWritten.open()
        }
      }
      two.beforeWrite.change { $0 = { await isWritten.pass() } }
      try await pairs.setObject((2, 2), forKey: "a", expiry: nil)
    }
    one.onWrite.change { $0 = nil }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(one.base.objects == ["a": 1])
    #expect(two.base.objects == ["a": 1])
  }
}
