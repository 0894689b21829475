import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// A store whose changes stop at a gate.
private struct Part: SimpleStorage {
  /// What a change does if its task was cancelled at the gate.
  enum Cancelled: CaseIterable { case isMade, isMadeAndThrows, throwsOnly }

  let base = DictionaryStorage<String, Int>(["a": 1])
  let gate = Gate(holding: 1)
  let cancelled: Cancelled

  private func change(_ make: () throws -> Void) async throws {
    await gate.pass()
    if cancelled == .throwsOnly { try Task.checkCancellation() }
    try make()
    if cancelled == .isMadeAndThrows { try Task.checkCancellation() }
  }

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    try blocking { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try await change { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) async throws {
    try await change { try base.removeObject(forKey: key) }
  }
  func removeAll() async throws { try await change { try base.removeAll() } }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { try blocking { try base.keys() } }
}

enum CancelledChange: CaseIterable {
  case write, batch, remove, removeMany, removeAll

  fileprivate func make<Store: StorageAware>(_ store: Store, _ value: Store.Value) async throws
  where Store.Key == String {
    switch self {
    case .write: try await store.setObject(value, forKey: "a", expiry: nil)
    case .batch: try await store.setObjects(["a": value], expiry: nil)
    case .remove: try await store.removeObject(forKey: "a")
    case .removeMany: try await store.removeObjects(forKeys: ["a"])
    case .removeAll: try await store.removeAll()
    }
  }

  /// The stored value after the change.
  fileprivate var result: Int? { self == .write || self == .batch ? 2 : nil }
}

@Suite(.timeLimit(.minutes(10)))
struct CancelledChangeTests {
  @Test(
    "a cancelled change of a pair is made in both stores or in neither", arguments: CancelledChange.allCases)
  func zipped(change: CancelledChange) async throws {
    for first in Part.Cancelled.allCases {
      for second in Part.Cancelled.allCases {
        let (one, two) = (Part(cancelled: first), Part(cancelled: second))
        let pairs = zip(one, two)
        let task = Task { try await change.make(pairs, (2, 2)) }
        await one.gate.arrivals(1)
        await two.gate.arrivals(1)
        task.cancel()
        one.gate.open()
        two.gate.open()
        var isMade = true
        do { try await task.value } catch is CancellationError { isMade = false }
        let wanted = isMade ? change.result : 1
        #expect(one.base.objects["a"] == wanted, "\(first), \(second)")
        #expect(two.base.objects["a"] == wanted, "\(first), \(second)")
      }
    }
  }

  @Test("a change that the back of pushing(to:) has made is finished", arguments: CancelledChange.allCases)
  func pushing(change: CancelledChange) async throws {
    for cancelled in Part.Cancelled.allCases {
      let front = Part(cancelled: cancelled)
      let back = DictionaryStorage<String, Int>(["a": 1])
      let store = front.pushing(to: back)
      let task = Task { try await change.make(store, 2) }
      await front.gate.arrivals(1)
      task.cancel()
      front.gate.open()
      try await task.value
      #expect(front.base.objects["a"] == change.result && back.objects["a"] == change.result)
    }
  }
}
