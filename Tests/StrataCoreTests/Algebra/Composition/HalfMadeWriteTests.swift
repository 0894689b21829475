import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// A store whose writes take effect and then fail, by an error or because they cancel the task that made them.
private final class HalfMaking: SyncSimpleStorage {
  enum Failing { case never, afterOne, byCancelling }

  let base: DictionaryStorage<String, Int>
  private let failing = Locked(Failing.never)

  init(expiry: Expiry = .never, clock: StorageClock = .system) {
    base = DictionaryStorage(expiry: expiry, clock: clock)
  }

  var clock: StorageClock { base.clock }

  func fail(_ failing: Failing) { self.failing.withLock { $0 = failing } }

  private func end() throws {
    let now = failing.withLock { failing in
      defer { failing = .never }
      return failing
    }
    switch now {
    case .never: break
    case .afterOne: throw Failure.first
    case .byCancelling: withUnsafeCurrentTask { $0?.cancel() }
    }
  }

  func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
    try end()
  }
  func removeObject(forKey key: String) throws {
    try base.removeObject(forKey: key)
    try end()
  }
  func removeAll() throws {
    try base.removeAll()
    try end()
  }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

/// A store that refuses the operations of a cancelled task.
private struct Cancellable<Base: SyncStorageAware<String, Int>>: SimpleStorage {
  let base: Base

  var clock: StorageClock { base.clock }

  private func perform<R>(_ operation: () throws -> R) throws -> R {
    try Task.checkCancellation()
    return try operation()
  }

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    try perform { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try perform { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) async throws {
    try perform { try base.removeObject(forKey: key) }
  }
  func removeAll() async throws { try perform { try base.removeAll() } }
  func removeExpiredObjects() async throws { try perform { try base.removeExpiredObjects() } }
  func keys() async throws -> [String] { try perform { try base.keys() } }
}

/// A store of which only reads and writes can be called.
private struct Plain<Base: StorageAware<String, Int>>: ReadableStorage, WritableStorage {
  let base: Base

  func retrieve(forKey key: String) async throws -> Int { try await base.object(forKey: key) }
  func set(_ value: Int, forKey key: String) async throws { try await base.setObject(value, forKey: key) }
}

@Suite(.timeLimit(.minutes(10)))
struct HalfMadeWriteTests {
  @Test("a pair of which one store has made a part of a refused write stays whole", arguments: Half.allCases)
  func pairs(half: Half) async throws {
    for firstFails in [true, false] {
      let (store, other) = (HalfMaking(), DictionaryStorage<String, Int>())
      let pairs =
        firstFails ? seen(zip(store, other), through: half) : seen(zip(other, store), through: half)
      try await pairs.setObjects(["a": (1, 1), "b": (1, 1)], expiry: nil)
      store.fail(.afterOne)
      await #expect(throws: Failure.first) { try await pairs.setObject((2, 2), forKey: "a") }
      #expect(store.base.objects == ["a": 1, "b": 1] && other.objects == ["a": 1, "b": 1])
      store.fail(.afterOne)
      await #expect(throws: Failure.first) {
        try await pairs.setObjects(["a": (3, 3), "b": (3, 3), "c": (3, 3)], expiry: nil)
      }
      #expect(store.base.objects == ["a": 1, "b": 1] && other.objects == ["a": 1, "b": 1])
    }
  }

  @Test("so does a pair whose parts are written concurrently", arguments: [true, false])
  func pairsAtOnce(bothFail: Bool) async throws {
    let (one, two) = (HalfMaking(), DictionaryStorage<String, Int>())
    let pairs = zip(SlowStorage(one), SlowStorage(two))
    try await pairs.setObject((1, 1), forKey: "a")
    one.fail(.afterOne)
    if bothFail { two.fail(.write) }
    await #expect(throws: (any Error).self) { try await pairs.setObject((2, 2), forKey: "a") }
    #expect(one.base.objects == ["a": 1] && two.objects == ["a": 1])
  }

  @Test("pushing: a change that the other store has made is finished, although its task is cancelled")
  func pushing() async throws {
    let (front, back) = (DictionaryStorage<String, Int>(), HalfMaking())
    let pushing = Cancellable(base: front).pushing(to: back)
    let plain = Plain(base: Cancellable(base: front)).pushing(to: Plain(base: back))
    let changes: [@Sendable () async throws -> Void] = [
      { try await pushing.setObject(1, forKey: "a") },
      { try await pushing.setObjects(["b": 2], expiry: nil) },
      { try await pushing.setEntries(["c": Entry(object: 3)]) },
      { try await pushing.replaceObject(4, forKey: "a", expiry: nil) },
      { try await pushing.removeObject(forKey: "a") },
      { try await pushing.removeObjects(forKeys: ["b"]) },
      { try await plain.set(5, forKey: "d") },
      { try await pushing.removeAll() },
    ]
    for (index, change) in changes.enumerated() {
      back.fail(.byCancelling)
      try await Task { try await change() }.value
      #expect(front.objects == back.base.objects, "change \(index)")
    }
  }

  @Test(
    "a value that a cancelled task has saved is cached no longer than it is stored",
    arguments: [CacheStrategy.cache, .cacheOnFailure])
  func cached(strategy: CacheStrategy) async throws {
    let time = ManualClock()
    let store = HalfMaking(expiry: .seconds(60), clock: time.clock)
    let cache = DictionaryStorage<String, Int>(clock: time.clock)
    let link = CacheStrategyStorage(Cancellable(base: store), cache: cache, strategy: strategy)
    let changes: [@Sendable () async throws -> Void] = [
      { try await link.setObject(1, forKey: "a", expiry: nil) },
      { try await link.replaceObject(2, forKey: "a", expiry: .seconds(60)) },
      { try await link.setObjects(["a": 3], expiry: nil) },
    ]
    for change in changes {
      store.fail(.byCancelling)
      try await Task { try await change() }.value
      #expect(try await cache.expiryIfPresent(forKey: "a") == .date(time.date.addingTimeInterval(60)))
    }
  }
}
