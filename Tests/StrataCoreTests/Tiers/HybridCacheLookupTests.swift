import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("HybridStorage: cached entries")
struct HybridCacheLookupTests {
  let time = ManualClock()
  let coder = CountingTransformer()
  let front: DictionaryStorage<String, TypeWrapper>
  let back: HesitantStorage<String, Data>
  let link:
    TypeWrapperStorage<
      HybridStorage<DictionaryStorage<String, TypeWrapper>, HesitantStorage<String, Data>>, Int
    >

  init() {
    front = DictionaryStorage(clock: time.clock)
    back = HesitantStorage(DictionaryStorage(clock: time.clock))
    link = TypeWrapperStorage(HybridStorage(front: front, back: back), transformer: coder.transformer)
  }

  private func put(inBack number: Int, _ key: String, _ expiry: Expiry = .never) throws {
    try back.base.setObject(Data("\(number)".utf8), forKey: key, expiry: expiry)
  }

  private func put(inFront number: Int, _ key: String, _ expiry: Expiry = .never) throws {
    try front.setObject(TypeWrapper(data: Data("\(number)".utf8)), forKey: key, expiry: expiry)
  }

  @Test("an entry in front is available without waiting, whatever the back has")
  func inFront() throws {
    try put(inFront: 1, "a")
    try put(inBack: 2, "a")
    back.isReady = false
    #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: 1)))
    #expect(link.cachedExpiry(forKey: "a") == .found(.never))
    #expect(back.base.calls(.read) == 0)
  }

  @Test("an entry that only the back has is copied to the front with its own expiry, as by a read")
  func promotion() throws {
    try put(inBack: 1, "a", .seconds(10))
    let expiry = Expiry.seconds(10).resolved(by: time.clock)
    time.advance(by: 5)
    #expect(link.cachedExpiry(forKey: "a") == .found(expiry))
    #expect(front.objects.isEmpty, "an expiry puts nothing in front")
    #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: 1, expiry: expiry)))
    #expect(front.cachedEntry(forKey: "a").map(\.expiry) == .found(expiry))
    time.advance(by: 5)
    try back.base.removeObject(forKey: "a")
    #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: 1, expiry: expiry)), "expired, and says so")
  }

  @Test("if the entry in front has expired, the back is used; an expired entry of the back is not copied")
  func expired() throws {
    try put(inFront: 1, "a", .seconds(1))
    try put(inBack: 2, "a")
    try put(inBack: 3, "b", .seconds(1))
    time.advance(by: 1)
    #expect(link.cachedExpiry(forKey: "a") == .found(.never))
    #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: 2)))
    #expect(link.cachedEntry(forKey: "b").map(\.object) == .found(3))
    #expect(front.objects["b"] == nil)
    try put(inFront: 4, "c", .seconds(0))
    #expect(link.cachedExpiry(forKey: "c") == .found(Expiry.seconds(0).resolved(by: time.clock)))
    #expect(link.cachedEntry(forKey: "c").map(\.object) == .found(4), "expired, and there is no other")
    back.isReady = false
    #expect(link.cachedEntry(forKey: "c") == .unknown, "the back may have a newer one")
    #expect(link.cachedExpiry(forKey: "c") == .unknown)
  }

  @Test("an entry is unknown if it is unknown in the back, and absent if it is absent there")
  func unknown() throws {
    try put(inBack: 1, "a")
    #expect(link.cachedEntry(forKey: "x") == .absent)
    #expect(link.cachedExpiry(forKey: "x") == .absent)
    back.isReady = false
    for key in ["a", "x"] {
      #expect(link.cachedEntry(forKey: key) == .unknown)
      #expect(link.cachedExpiry(forKey: key) == .unknown)
    }
    #expect(front.objects.isEmpty)
    #expect(coder.decoded == 0)
  }

  @Test("failures are left to the read: of a tier, of decoding; a value need not be copied to the front")
  func failures() throws {
    try put(inBack: 1, "a")
    front.fail(.write)
    #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: 1)))
    #expect(try link.object(forKey: "a") == 1)
    front.work()
    back.base.fail(.read)
    #expect(link.cachedEntry(forKey: "a") == .unknown)
    back.base.work()
    #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: 1)))
    try back.base.setObject(Data("no number".utf8), forKey: "b")
    #expect(link.cachedEntry(forKey: "b") == .unknown)
    #expect(link.cachedExpiry(forKey: "b") == .found(.never), "nothing is decoded for it")
    #expect(throws: StorageError.typeNotMatch) { try link.object(forKey: "b") }
  }

  @Test("an entry that would be written to a blocking front is not available without waiting")
  func slowFront() throws {
    let near = HesitantStorage<String, TypeWrapper>(front)
    let tiers = HybridStorage(front: near, back: back)
    try put(inBack: 1, "a")
    try put(inBack: 2, "old", .date(.distantPast))
    #expect(tiers.cachedEntry(forKey: "a").isUnknown)
    #expect(front.objects.isEmpty)
    #expect(!tiers.cachedEntry(forKey: "old").isUnknown, "an expired entry is not copied to the front")
    #expect(tiers.cachedExpiry(forKey: "a") == .found(.never))
    #expect(tiers.cachedEntry(forKey: "x").isAbsent)
    try put(inFront: 1, "a")
    #expect(try tiers.cachedEntry(forKey: "a").map { try $0.object.data() } == .found(Data("1".utf8)))
    near.isReady = false
    #expect(tiers.cachedEntry(forKey: "a").isUnknown)
    #expect(tiers.cachedEntry(forKey: "x").isUnknown)
  }

  @Test("the lookup does not wait: while a key is written, an entry not in front is unknown")
  func busyKey() async throws {
    try put(inBack: 1, "a")
    let gate = ThreadGate()
    back.base.afterNextRead { gate.pass() }
    let reader = Task { [link] in try await onThread { try link.object(forKey: "a") } }
    await gate.arrival()
    #expect(link.cachedEntry(forKey: "a") == .unknown)
    #expect(link.cachedEntry(forKey: "x") == .absent)
    gate.open()
    #expect(try await reader.value == 1)
    #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: 1)))
  }

  @Test("an old value never replaces a newer write or a removal")
  func races() async throws {
    for round in 0..<60 {
      try put(inBack: round, "a")
      try await front.removeAll()
      let (link, number) = (link, -1 - round)
      let isRemoving = round.isMultiple(of: 2)
      // The read has the old value of the back when the write comes; only the ordering keeps the write from passing it.
      let write = Locked<Task<Void, any Error>?>(nil)
      back.base.afterNextRead {
        write.withLock {
          $0 = Task {
            try await onThread {
              if isRemoving {
                try link.removeObject(forKey: "a")
              } else {
                try link.setObject(10_000 - number, forKey: "a")
              }
            }
          }
        }
        for _ in 0..<round % 20 { sched_yield() }
      }
      #expect(link.cachedEntry(forKey: "a") == .found(Entry(object: round)))
      try await write.withLock { $0 }?.value
      #expect(
        link.cachedEntry(forKey: "a") == (isRemoving ? .absent : .found(Entry(object: 10_000 - number))))
      #expect(front.objects.isEmpty == isRemoving)
    }
  }
}

extension CacheLookup {
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
  var isAbsent: Bool { if case .absent = self { true } else { false } }
}
