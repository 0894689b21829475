import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder
@testable import StrataValues

/// Two clients of one server: ours with a front, and another.
struct CoherentPair {
  typealias SlowBack = SlowStorage<AnnouncingStorage<Int>>

  let server = AnnouncingServer<Int>()
  let front = DictionaryStorage<String, Int>(peeks: true)
  let ours: AnnouncingStorage<Int>
  let other: AnnouncingStorage<Int>
  let slow: SlowStorage<AnnouncingStorage<Int>>
  let slowFront: SlowStorage<DictionaryStorage<String, Int>>?
  let chain: any StorageAware<String, Int>

  init(_ half: Half = .async, isLinked: Bool = true, front kind: FrontKind = .prompt) {
    ours = AnnouncingStorage(server, isLinked: isLinked)
    other = AnnouncingStorage(server)
    slow = SlowStorage(ours)
    let slowFront = SlowStorage(front, peeks: true)
    self.slowFront = kind == .suspending ? slowFront : nil
    if half == .sync {
      chain = SyncFace(base: CombinedStorage(front: front, back: ours))
    } else {
      chain =
        switch kind {
        case .prompt, .nested: CombinedStorage(front: front, back: slow)
        case .suspending: CombinedStorage(front: slowFront, back: slow)
        case .blocking: CombinedStorage(front: BlockingFace(base: front), back: slow)
        }
    }
  }

  func read() async throws -> Int? { try await chain.entryIfPresent(forKey: "a")?.object }

  /// Waits until this many operations wait for the key's turn, in a chain whose front suspends.
  func waiting(_ count: Int) async {
    let link = chain as? CombinedStorage<SlowStorage<DictionaryStorage<String, Int>>, SlowBack>
    await until { link?.order.table.withLock { $0.queues["a"]?.others.count } == count }
  }

  /// Changes the key through the other client and delivers the invalidation.
  func changeElsewhere(_ value: Int, expiry: Expiry? = nil) throws {
    try blocking { try other.setObject(value, forKey: "a", expiry: expiry) }
    ours.deliverAll()
  }
}

@Suite("Coherence: a key changed by another client", .timeLimit(.minutes(10)))
struct CoherenceRaceTests {
  @Test("is read from the back again, and only after the invalidation", arguments: Half.allCases)
  func changed(_ half: Half) async throws {
    let pair = CoherentPair(half)
    try pair.changeElsewhere(1)
    #expect(try await pair.read() == 1)
    try blocking { try pair.other.setObject(2, forKey: "a") }
    #expect(try await pair.read() == 1, "nobody has told it yet")
    #expect(pair.chain.peek(forKey: "a")?.object == 1)
    pair.ours.deliverAll()
    #expect(pair.front.objects == [:])
    #expect(pair.chain.peek(forKey: "a") == nil)
    #expect(try await pair.read() == 2)
    #expect(pair.front.objects == ["a": 2])
    if half == .async {
      let link =
        pair.chain as? CombinedStorage<DictionaryStorage<String, Int>, SlowStorage<AnnouncingStorage<Int>>>
      #expect(link?.suspectFlag?.takeUnretainedValue().isSet == false, "hits take no lock")
    }
    try blocking { try pair.other.removeAll() }
    pair.ours.deliverAll()
    await until { pair.front.objects == [:] }
    #expect(try await pair.read() == nil)
  }

  @Test(
    "is not cached by a read in progress, nor is that read's value given to later callers",
    arguments: Reading.allCases)
  func readInFlight(_ reading: Reading) async throws {
    let pair = CoherentPair()
    try pair.changeElsewhere(1)
    let gate = pair.slow.stop(.read)
    let early = Task { try await reading.read(pair.chain) }
    await gate.arrivals(1)
    try pair.changeElsewhere(2)
    let late = Task { try await reading.read(pair.chain) }
    await Task.yield()
    gate.open()
    // A read of many keys may have read the other key first.
    let found = try await early.value
    #expect(found == 1 || reading == .many)
    #expect(try await late.value == 2)
    #expect(pair.front.objects["a"] == 2)
  }

  @Test("is read again by all callers that share a read in progress")
  func handedOn() async throws {
    let pair = CoherentPair()
    try pair.changeElsewhere(1)
    let gate = pair.slow.stop(.read)
    let first = Task { try await pair.read() }
    await gate.arrivals(1)
    try pair.changeElsewhere(2)
    // These reads wait in the queue behind the first read, which has read 1.
    let others = (0..<20).map { _ in Task { try await pair.read() } }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    _ = try await first.value
    for other in others { #expect(try await other.value == 2) }
  }

  @Test("is never older than the result of a read that has ended, when a result is shared")
  func handedPast() async throws {
    let pair = CoherentPair(front: .suspending)
    try pair.changeElsewhere(1)
    let front = try #require(pair.slowFront)
    await until { pair.front.calls(.removeAll) == 1 }
    // The queue of the key: a read, a read that shares its result, a write, and a read of what is written.
    let reading = pair.slow.stop(.read)
    let first = Task { try await pair.read() }
    await reading.arrivals(1)
    let sharer = StepExecutor()
    let second = await sharer.start { try await pair.read() }
    await pair.waiting(1)
    let write = Task { try await pair.chain.setObject(20, forKey: "a", expiry: nil) }
    await pair.waiting(2)
    let third = Task { try await pair.read() }
    await pair.waiting(3)
    // The invalidation outdates the first result. The front is slow to drop the key, so all reads go to the back.
    let removing = front.stop(.remove)
    try pair.changeElsewhere(10)
    await removing.arrivals(1)
    let writing = front.stop(.write)
    reading.open()
    await writing.arrivals(1)
    await sharer.settle()
    _ = try await first.value
    // A further change, of which the chain does not hear. The second read may now return it, but no later read less.
    try blocking { try pair.other.setObject(30, forKey: "a") }
    let steps = StepExecutor()
    let fourth = await steps.start { try await pair.read() }
    await pair.waiting(3)
    steps.stop()
    writing.open()
    _ = try await (write.value, third.value)
    let seen = try #require(try await second.value)
    // This read begins after the second one has ended, and waits behind the fourth.
    let last = Task { try await pair.read() }
    await pair.waiting(1)
    steps.resume()
    _ = try await fourth.value
    #expect(try #require(try await last.value) >= seen)
    removing.open()
  }

  @Test("is not given to a later caller by a read that has found it in the front during the invalidation")
  func foundDuringRemoval() async throws {
    let pair = CoherentPair()
    let front = DictionaryStorage<String, Int>()
    let link = CombinedStorage(front: front, back: pair.ours)
    try pair.changeElsewhere(1)
    let (missing, removing, finding) = (ThreadGate(), ThreadGate(), ThreadGate())
    // A read misses the front, which another read then fills.
    front.afterNextRead { missing.pass() }
    let early = Task { try await onThread { try link.object(forKey: "a") } }
    await missing.arrival()
    #expect(try blocking { try link.object(forKey: "a") } == 1)
    // The invalidation has come, but the entry is still there. The first read looks again, now in its turn.
    front.beforeNextRemoval { removing.pass() }
    let change = Task { try await onThread { try pair.changeElsewhere(2) } }
    await removing.arrival()
    front.afterNextRead { finding.pass() }
    missing.open()
    await finding.arrival()
    removing.open()
    try await change.value
    // This read begins after the invalidation, and waits behind the first one.
    let late = Task { try await onThread { try link.object(forKey: "a") } }
    await until { link.order.table.withLock { $0.queues["a"]?.others.count } == 1 }
    finding.open()
    #expect(try await early.value == 1)
    #expect(try await late.value == 2)
  }

  @Test("is streamed from the back again, although an older value is still being copied to the front")
  func streamed() async throws {
    let server = AnnouncingServer<Data>()
    let (ours, other) = (AnnouncingStorage(server), AnnouncingStorage(server))
    let link = CombinedStorage(front: PartStorage(), back: ours)
    let (old, new) = (Data(repeating: 1, count: 3 << 20), Data(repeating: 2, count: 3 << 20))
    try blocking { try other.setObject(old, forKey: "a") }
    var reader = try await link.read(forKey: "a").makeAsyncIterator()
    var data = try await reader.next() ?? Data()
    try blocking { try other.setObject(new, forKey: "a") }
    ours.deliverAll()
    await until { link.suspectFlag?.takeUnretainedValue().isSet == false }
    #expect(try await link.read(forKey: "a").data() == new)
    while let part = try await reader.next() { data += part }
    #expect(data == old)
    #expect(try await link.object(forKey: "a") == new)
  }

  @Test("is not served while an older value is being copied to the front", arguments: [false, true])
  func putInFlight(_ changesAll: Bool) async throws {
    let pair = CoherentPair(front: .suspending)
    try pair.changeElsewhere(1)
    let front = try #require(pair.slowFront)
    await until { pair.front.calls(.removeAll) == 1 }
    let gate = front.stop(.write)
    let reader = Task { try await pair.read() }
    await gate.arrivals(1)
    if changesAll { try blocking { try pair.other.removeAll() } }
    try pair.changeElsewhere(2)
    await until { changesAll ? pair.front.calls(.removeAll) == 2 : pair.front.calls(.remove) == 1 }
    // The invalidation had nothing to remove yet; the value that it should have removed is stored only now.
    let dropping = front.stop(.remove)
    gate.open()
    await dropping.arrivals(1)
    #expect(pair.front.objects == ["a": 1])
    #expect(pair.chain.peek(forKey: "a") == nil)
    // A second read waits for the first and reads the back again.
    let late = Task { try await pair.read() }
    dropping.open()
    #expect(try await reader.value == 1)
    #expect(try await late.value == 2)
    #expect(try await pair.read() == 2)
    #expect(pair.chain.peek(forKey: "a")?.object == 2, "the key is not suspect any more")
  }

  @Test("is not served while the front has not removed it yet", arguments: [FrontKind.suspending, .blocking])
  func laggingFront(_ kind: FrontKind) async throws {
    let pair = CoherentPair(front: kind)
    await until { pair.front.calls(.removeAll) == 1 }
    try pair.changeElsewhere(1)
    #expect(try await pair.read() == 1)
    let gate = pair.slowFront?.stop(.remove)
    let expiry = Expiry.date(.distantFuture)
    try pair.changeElsewhere(2, expiry: expiry)
    if kind == .suspending { #expect(pair.front.objects == ["a": 1]) }
    #expect(pair.chain.peek(forKey: "a")?.object != 1)
    #expect(try await pair.chain.expiryIfPresent(forKey: "a") == expiry)
    #expect(try await pair.chain.entries(forKeys: ["a"]).mapValues(\.object) == ["a": 2])
    #expect(try await pair.read() == 2)
    gate?.open()
    await until { pair.chain.peek(forKey: "a") != nil || pair.front.objects.isEmpty }
    #expect(try await pair.read() == 2)
  }

  @Test(
    "is removed from the front by a write of this process too, during any other operation",
    arguments: Half.allCases)
  func ownWrite(_ half: Half) async throws {
    let pair = CoherentPair(half)
    try await pair.chain.setObject(1, forKey: "a", expiry: nil)
    #expect(pair.front.objects == [:])
    #expect(try await pair.read() == 1)
    // The front only receives this invalidation because it has read the key.
    try pair.changeElsewhere(2)
    #expect(try await pair.read() == 2)
    try await pair.chain.setObjects(["a": 3, "b": 3], expiry: nil)
    #expect(pair.front.objects == [:])
    #expect(try await pair.chain.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": 3, "b": 3])
    try await pair.chain.removeObject(forKey: "a")
    #expect(try await pair.read() == nil)
    #expect(try await pair.chain.keys() == ["b"])
  }

  @Test("is not listed after its removal, though the front still has it", arguments: Half.allCases)
  func keys(_ half: Half) async throws {
    let pair = CoherentPair(half)
    try pair.changeElsewhere(1)
    #expect(try await pair.read() == 1)
    try blocking { try pair.other.removeObject(forKey: "a") }
    #expect(try await pair.chain.keys() == [])
  }
}
