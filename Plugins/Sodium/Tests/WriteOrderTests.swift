import Foundation
import StrataAlgebra
import StrataCore
import StrataSodium
import TestSupport
import Testing

/// Over a store without atomic updates, writes and rewrites of a key take turns in one per-key ordering.
@Suite(.endsInTime) struct WriteOrderTests {
  private let bytes = DictionaryStorage<String, Data>()
  private let ring: KeyRing

  init() throws { ring = KeyRing(try SecretKey()) }

  /// Waiting for a turn that the caller has already throws `.deadlock`: the error shows that the write would have
  /// waited.
  @Test func everyWriteWaitsForItsTurn() async throws {
    let store = bytes.encrypted(with: ring)
    let other = bytes.encrypted(with: ring, domain: "other")
    let order = try #require(bytes.coordinator).rewrites
    let writes: [@Sendable () throws -> Void] = [
      { try store.setObject(Data(), forKey: "a") },
      { try other.setObject(Data(), forKey: "a") },
      { try store.setObjects(["a": Data(), "b": Data()], expiry: nil) },
      { try store.removeObject(forKey: "a") },
      { try store.removeObjects(forKeys: ["b", "a"]) },
      { try store.removeAll() },
    ]
    try await onThread {
      try store.setObject(Data([1]), forKey: "a")
      for write in writes {
        try order.withTurn(.key("a")) {
          #expect(throws: StorageError.deadlock) { try write() }
          try store.setObject(Data(), forKey: "c")
        }
      }
    }
    #expect(bytes.objects.count == 2)
  }

  /// Tasks that wait for a turn, or have one, need no thread that a call without `await` may block.
  @Test(arguments: [false, true]) func callersWithAndWithoutAwaitAllGoOn(isCombined: Bool) async throws {
    let store = DictionaryStorage<String, Data>(yields: true).encrypted(with: ring)
    let value = { @Sendable (number: Int) in Data("\(number)".utf8) }
    if isCombined {
      try await mixCallers(of: DictionaryStorage<String, Data>().combined(with: store), value)
    } else {
      try await mixCallers(of: store, value)
    }
  }

  /// A task that waits can be cancelled; a write that did not wait would have succeeded.
  @Test func everyAsynchronousWriteWaitsForItsTurn() async throws {
    let slow = SlowStorage(bytes)
    let store = slow.encrypted(with: ring)
    let order = try #require(slow.coordinator).rewrites
    try await store.setObject(Data([1]), forKey: "a", expiry: nil)
    let before = bytes.objects
    let writes: [@Sendable () async throws -> Void] = [
      { try await store.setObject(Data([1]), forKey: "a", expiry: nil) },
      { try await store.setObjects(["a": Data([2])], expiry: nil) },
      { try await store.removeObject(forKey: "a") },
      { try await store.removeObjects(forKeys: ["a"]) },
      { try await store.removeAll() },
    ]
    let turn = order.line(up: .key("a"))
    try await order.wait(for: turn)
    for write in writes {
      let task = Task { try await write() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    order.leave(turn)
    #expect(bytes.objects == before)
    for write in writes { try await write() }
  }

  /// A rewrite also compares within its turn.
  @Test func aRewriteComparesWithinItsTurn() async throws {
    let store = bytes.encrypted(with: ring)
    let order = try #require(bytes.coordinator).rewrites
    let bytes = bytes
    let wasFree = Shared<[Bool]>([])
    let look: @Sendable () -> Void = {
      onAnotherThread {
        do {
          try order.atOnce("a") {}
          wasFree.change { $0.append(true) }
        } catch { wasFree.change { $0.append(false) } }
      }
    }
    try await onThread { [ring] in
      try store.setObject(Data([1]), forKey: "a")
      ring.rotate(adding: try SecretKey())
      bytes.afterNextRead {
        look()
        bytes.afterNextRead(look)
      }
      _ = try store.object(forKey: "a")
    }
    #expect(wasFree.value == [true, false])
    #expect(bytes.objects.values.allSatisfy(ring.isCurrent))
  }
}
