import Foundation
import Strata
import TestSupport
import Testing

/// The closure that a store calls inside its writes and removals.
private final class Callback: Sendable {
  private let body = Locked<(@Sendable () async throws -> Void)?>(nil)

  func set(_ new: @escaping @Sendable () async throws -> Void) { body.withLock { $0 = new } }
  func callAsFunction() async throws { try await body.withLock { $0 }?() }
}

/// An asynchronous store whose writes and removals call back before they return.
private final class CallingStorage<Value: Sendable>: StorageAware {
  let base = DictionaryStorage<String, Value>()
  let callback: Callback

  init(_ callback: Callback) { self.callback = callback }

  func entryIfPresent(forKey key: String) async throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Value, forKey key: String, expiry: Expiry?) async throws {
    try await callback()
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws {
    try await callback()
    try base.removeObject(forKey: key)
  }
  func removeAll() async throws { try base.removeAll() }
  func removeExpiredObjects() async throws { try base.removeExpiredObjects() }
  func keys() async throws -> [String] { try base.keys() }
}

/// The combinators in which an operation takes a turn.
private enum OrderedLink: CaseIterable, Sendable {
  case combined, pushing, cached, cachedOnFailure, serial, zipped, face

  func chain(_ callback: Callback) -> any StorageAware<String, Int> {
    let memory = MemoryStorage<String, Int>()
    let store = CallingStorage<Int>(callback)
    return switch self {
    case .combined: memory.combined(with: store)
    case .pushing: memory.pushing(to: store)
    case .cached: store.cacheStrategy(.cache)
    case .cachedOnFailure: store.cacheStrategy(.cacheOnFailure)
    case .serial: store.serial()
    case .zipped: zip(store, memory).mapValues(to: Int.self, mapTo: { $0.0 }, mapFrom: { ($0, $0) })
    case .face:
      AsyncStorage(
        front: MemoryStorage(), back: CallingStorage<Data>(callback), transformer: .codable(Int.self))
    }
  }
}

@Suite("Nothing waits for itself, tasks neither", .timeLimit(.minutes(1)))
struct TaskReentryTests {
  @Test("a write from inside a write of its own key throws", arguments: OrderedLink.allCases)
  private func link(_ link: OrderedLink) async throws {
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

  @Test("a store whose save calls its delegate", arguments: [CacheStrategy.cache, .cacheOnFailure])
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
  private func otherKeys(_ link: OrderedLink) async throws {
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
    "of two tasks whose operations wait for each other, one throws and the other goes on", arguments: 0..<20)
  func crossing(_ round: Int) async throws {
    let left = CallingStorage<Int>(Callback())
    let right = CallingStorage<Int>(Callback())
    let leftLine = left.serial()
    let rightLine = right.serial()
    try left.base.setObject(0, forKey: "a", expiry: nil)
    try right.base.setObject(0, forKey: "a", expiry: nil)
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
