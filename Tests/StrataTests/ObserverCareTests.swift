import Foundation
import Strata
import TestSupport
import Testing

private final class Listener: Sendable {}

/// An object captured by a closure: the number of objects shows how many closures are alive.
private final class Held: Sendable {
  let count: Shared<Int>
  init(_ count: Shared<Int>) {
    self.count = count
    count.change { $0 += 1 }
  }
  deinit { count.change { $0 -= 1 } }
}

@Suite("Observers cost the store little") struct ObserverCareTests {
  @Test("a change succeeds even if the old value cannot be read", arguments: Mode.allCases)
  func unreadable(_ mode: Mode) async throws {
    let back = DictionaryStorage<String, Data>(["a": Data("1".utf8), "b": Data("1".utf8)])
    let storage = Storage(back: back, transformer: .codable(Int.self))
    let listener = Listener()
    let (changes, ofKey) = (Shared<[StorageChange<String>]>([]), Shared<[KeyChange<Int>]>([]))
    storage.addStorageObserver(listener) { _, _, change in changes.change { $0.append(change) } }
    storage.addObserver(listener, forKey: "a") { _, _, change in ofKey.change { $0.append(change) } }
    back.fail(.read)
    try await mode.set(storage, "a", 2)
    try await mode.setMany(storage, ["a": 3])
    try await mode.remove(storage, "a")
    try await mode.removeMany(storage, ["b"])
    #expect(changes.value == [.add(key: "a"), .add(key: "a"), .remove(key: "a"), .remove(key: "b")])
    #expect(ofKey.value == [.edit(before: nil, after: 2), .edit(before: nil, after: 3), .remove])
  }

  @Test("in an asynchronous store too: a change succeeds even if the old value cannot be read")
  func unreadableBySuspending() async throws {
    let back = DictionaryStorage<String, Data>(["a": Data("1".utf8), "b": Data("1".utf8)])
    let storage = AsyncStorage(back: SlowStorage(back), transformer: .codable(Int.self))
    let changes = storage.changes
    let ofKey = storage.changes(forKey: "a")
    back.fail(.read)
    try await storage.setObject(2, forKey: "a")
    try await storage.setObjects(["a": 3], expiry: nil)
    try await storage.removeObject(forKey: "a")
    try await storage.removeObjects(forKeys: ["b"])
    var (heard, heardOfKey) = (changes.makeAsyncIterator(), ofKey.makeAsyncIterator())
    for change in [StorageChange.add(key: "a"), .add(key: "a"), .remove(key: "a"), .remove(key: "b")] {
      #expect(await heard.next() == change)
    }
    for change in [KeyChange.edit(before: nil, after: 2), .edit(before: nil, after: 3), .remove] {
      #expect(await heardOfKey.next() == change)
    }
  }

  @Test("released observers leave nothing behind, even without changes", arguments: [true, false])
  func gone(ofKeys: Bool) throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let count = Shared(0)
    for number in 0..<1000 {
      let held = Held(count)
      let listener = Listener()
      if ofKeys {
        storage.addObserver(listener, forKey: "\(number % 7)") { _, _, _ in withExtendedLifetime(held) {} }
      } else {
        storage.addStorageObserver(listener) { _, _, _ in withExtendedLifetime(held) {} }
      }
    }
    #expect(count.value < 100)
  }

  @Test("cancelling an observation releases its closure, and no other")
  func cancelled() throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let listener = Listener()
    let (count, calls) = (Shared(0), Shared<[Int]>([]))
    var tokens: [ObservationToken] = []
    for number in 0..<20 {
      let held = Held(count)
      tokens.append(
        storage.addObserver(listener, forKey: "a") { _, _, _ in
          withExtendedLifetime(held) { calls.change { $0.append(number) } }
        })
    }
    for number in stride(from: 0, to: 20, by: 2) { tokens[number].cancel() }
    tokens[4].cancel()
    #expect(count.value == 10)
    try storage.setObject(1, forKey: "a")
    #expect(calls.value == Array(stride(from: 1, to: 20, by: 2)), "in the order in which they came")
  }

  /// With work per observer that grows with their number, this takes minutes.
  @Test("many observers can be added and removed", .timeLimit(.minutes(1)), arguments: [true, false])
  func many(ofOneKey: Bool) throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let listener = Listener()
    let calls = Shared(0)
    let tokens = (0..<20_000).map { number in
      storage.addObserver(listener, forKey: ofOneKey ? "a" : "\(number)") { _, _, _ in
        calls.change { $0 += 1 }
      }
    }
    for token in tokens.dropFirst() { token.cancel() }
    for number in 0..<1000 { try storage.setObject(number, forKey: ofOneKey ? "a" : "0") }
    #expect(calls.value == 1000)
  }

  @Test("a writer calls a slow observer only so many times for the writes of others")
  func writersShareTheCalls() async throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let (gate, threads) = (ThreadGate(), Shared<[UInt]>([]))
    let token = storage.addStorageObserver(gate) { gate, _, _ in
      let isFirst = threads.change { threads in
        threads.append(thisThread())
        return threads.count == 1
      }
      if isFirst { gate.pass() }
    }
    async let writer = onThread {
      try storage.setObject(0, forKey: "a")
      return thisThread()
    }
    await gate.arrival()
    try await onThread { for number in 1...1000 { try storage.setObject(number, forKey: "a") } }
    #expect(threads.value.count == 1)
    gate.open()
    let thread = try await writer
    await until { threads.value.count == 1001 }
    #expect(threads.value.count { $0 == thread } <= 256)
    token.cancel()
  }
}
