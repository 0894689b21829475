import StrataAlgebra
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@testable import StrataCore

@Suite("Coherence: a lost invalidation link", .timeLimit(.minutes(10)))
struct CoherenceLinkTests {
  @Test("while the link is lost, nothing is served from the front", arguments: Half.allCases)
  func lost(_ half: Half) async throws {
    let pair = CoherentPair(half)
    try pair.changeElsewhere(1)
    #expect(try await pair.read() == 1)
    pair.ours.cut()
    try blocking { try pair.other.setObject(2, forKey: "a") }
    pair.ours.noticeLoss()
    #expect(pair.chain.peek(forKey: "a") == nil)
    #expect(try await pair.read() == 2)
    #expect(try await pair.read() == 2)
    try blocking { try pair.other.setObject(3, forKey: "a") }
    #expect(try await pair.read() == 3, "nothing is cached meanwhile")
    pair.ours.reconnect()
    #expect(try await pair.read() == 3)
    await until { pair.chain.peek(forKey: "a") != nil || pair.front.objects.isEmpty }
    #expect(try await pair.read() == 3)
    try pair.changeElsewhere(4)
    #expect(try await pair.read() == 4)
  }

  @Test("entries from before the loss are gone when the link is restored")
  func emptied() async throws {
    let pair = CoherentPair()
    try blocking { try pair.other.setObject(1, forKey: "b") }
    #expect(try await pair.chain.entryIfPresent(forKey: "b")?.object == 1)
    pair.ours.cut()
    try blocking { try pair.other.setObject(2, forKey: "b") }
    pair.ours.noticeLoss()
    pair.ours.reconnect()
    #expect(try await pair.chain.entryIfPresent(forKey: "b")?.object == 2)
  }

  @Test(
    "a read during which the link was lost or restored is not cached", arguments: [true, false])
  func acrossTheLoss(_ losing: Bool) async throws {
    let pair = CoherentPair()
    try pair.changeElsewhere(1)
    if !losing {
      pair.ours.cut()
      pair.ours.noticeLoss()
      await until { pair.front.objects.isEmpty }
    }
    let gate = pair.slow.stop(.read)
    let reader = Task { try await pair.read() }
    await gate.arrivals(1)
    if losing {
      pair.ours.cut()
      pair.ours.noticeLoss()
    }
    try blocking { try pair.other.setObject(2, forKey: "a") }
    pair.ours.reconnect()
    gate.open()
    #expect(try await reader.value == 1)
    #expect(try await pair.read() == 2)
  }

  @Test("before the link is established, a store is read but nothing is cached", arguments: Half.allCases)
  func notYet(_ half: Half) async throws {
    let pair = CoherentPair(half, isLinked: false)
    try blocking { try pair.other.setObject(1, forKey: "a") }
    #expect(try await pair.read() == 1)
    #expect(pair.front.objects == [:])
    pair.ours.reconnect()
    #expect(try await pair.read() == 1)
    #expect(pair.front.objects == ["a": 1])
    #expect(pair.chain.peek(forKey: "a")?.object == 1)
  }

  @Test("entries that are in the front at the start are not served", arguments: FrontKind.allCases)
  func filledFront(_ kind: FrontKind) async throws {
    let server = AnnouncingServer<Int>()
    let back = AnnouncingStorage(server)
    try blocking { try back.setObject(2, forKey: "a") }
    let front = DictionaryStorage(["a": 1, "b": 1], peeks: true)
    let chain: any StorageAware<String, Int> =
      switch kind {
      case .prompt: CombinedStorage(front: front, back: back)
      case .suspending: CombinedStorage(front: SlowStorage(front), back: back)
      case .blocking: CombinedStorage(front: BlockingFace(base: front), back: back)
      case .nested:
        CombinedStorage(front: CombinedStorage(front: front, back: DictionaryStorage(["b": 1])), back: back)
      }
    #expect(try await chain.entryIfPresent(forKey: "a")?.object == 2)
    #expect(try await chain.entryIfPresent(forKey: "b") == nil)
    await until { front.objects["b"] == nil }
    #expect(try await chain.entryIfPresent(forKey: "b") == nil)
  }

  @Test("a front that cannot be emptied is not served until it is")
  func failingFront() async throws {
    let pair = CoherentPair()
    try pair.changeElsewhere(1)
    #expect(try await pair.read() == 1)
    pair.front.fail(.remove, .removeAll)
    let tries = pair.front.calls(.removeAll)
    try pair.changeElsewhere(2)
    await until { pair.front.calls(.removeAll) > tries }
    for _ in 0..<100 {
      await Task.yield()
      #expect(pair.chain.peek(forKey: "a") == nil)
    }
    #expect(pair.front.objects == ["a": 1])
    #expect(try await pair.read() == 2)
    pair.front.work()
    // Each read tries again to empty the front. Until one has succeeded, none stores its value there for good.
    for _ in 0..<100_000 where pair.chain.peek(forKey: "a") == nil {
      #expect(try await pair.read() == 2)
      await Task.yield()
    }
    #expect(pair.chain.peek(forKey: "a")?.object == 2)
  }

  @Test("a front is emptied by one task at a time, and after a failure only by the next read")
  func oneAtWork() {
    var state = CoherenceState<String>()
    state.changeAll()
    guard let first = state.startWork() else {
      Issue.record("nothing to do")
      return
    }
    #expect(state.startWork() == nil)
    state.changeAll()
    #expect(state.done(first, failed: true) == nil)
    #expect(state.isSuspect("a"))
    let second = state.startWork()
    #expect(second != nil && state.startWork() == nil)
    #expect(state.done(.empty, failed: false) == nil)
    #expect(!state.hasSuspects)
  }
}
