import Foundation
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: idle time, jitter and reclaiming")
struct MemoryIdleTests {
  typealias Memory = MemoryStorage<Int, Int>

  let time = ManualClock()

  func memory(_ config: (inout MemoryConfig) -> Void) -> Memory {
    var result = MemoryConfig(clock: time.clock)
    config(&result)
    return Memory(config: result)
  }

  @Test("an entry expires after its idle time; each read and each write restarts that time")
  func idle() throws {
    let memory = memory { $0.idleTime = 10 }
    for key in 0..<3 { try memory.setObject(key, forKey: key) }
    time.advance(by: 6)
    #expect(try memory.object(forKey: 0) == 0)
    try memory.setObject(5, forKey: 1)
    time.advance(by: 6)
    #expect(try memory.keys().sorted() == [0, 1])
    #expect(try memory.objectIfPresent(forKey: 2) == nil)
    time.advance(by: 4)
    #expect(try memory.keys() == [])
  }

  @Test("peeks do not count as uses, and the returned expiry is that after the read")
  func expiryOfIdle() throws {
    let memory = memory { $0.idleTime = 10 }
    let start = time.date
    try memory.setObject(1, forKey: 1)
    time.advance(by: 5)
    #expect(try memory.expiryIfPresent(forKey: 1) == .date(start.addingTimeInterval(10)))
    #expect(try memory.objectExists(forKey: 1))
    #expect(memory.peek(forKey: 1)?.expiry == .date(start.addingTimeInterval(15)))
    #expect(try memory.expiryIfPresent(forKey: 1) == .date(start.addingTimeInterval(15)))
  }

  @Test("neither uses nor updates extend an entry beyond its own expiry")
  func ownExpiry() throws {
    let memory = memory { $0.idleTime = 10 }
    try memory.setObject(1, forKey: 1, expiry: .seconds(12))
    time.advance(by: 8)
    #expect(try memory.update(forKey: 1) { $0 += 1 } == 2)
    time.advance(by: 3)
    #expect(try memory.object(forKey: 1) == 2)
    time.advance(by: 1)
    #expect(try memory.objectIfPresent(forKey: 1) == nil)
  }

  @Test("an entry used in time survives a sweep, and is removed by a later one")
  func sweepOfIdle() throws {
    let memory = memory { $0.idleTime = 10 }
    for key in 0..<100 { try memory.setObject(key, forKey: key) }
    time.advance(by: 9)
    for key in 0..<50 { _ = memory.peek(forKey: key) }
    time.advance(by: 1)
    try memory.removeExpiredObjects()
    #expect(memory.count == 50)
    time.advance(by: 9)
    try memory.removeExpiredObjects()
    #expect(memory.count == 0)
  }

  @Test("jitter shortens only the storage's own expiry, by at most its fraction")
  func jitter() throws {
    let memory = memory {
      $0.expiry = .seconds(100)
      $0.expiryJitter = 0.2
    }
    let start = time.date
    for key in 0..<200 { try memory.setObject(key, forKey: key) }
    let lives = try (0..<200).compactMap {
      try memory.expiryIfPresent(forKey: $0)?.date.timeIntervalSince(start)
    }
    #expect(lives.allSatisfy { $0 >= 79.99 && $0 <= 100.01 })
    #expect(Set(lives).count > 100)
    try memory.setObject(1, forKey: 1, expiry: .seconds(100))
    #expect(try memory.expiryIfPresent(forKey: 1) == .date(start.addingTimeInterval(100)))
  }

  @Test("writes reclaim expired entries, without a sweep")
  func writesReclaim() throws {
    let memory = memory { $0.countLimit = 10_000 }
    for key in 0..<1000 { try memory.setObject(key, forKey: key, expiry: .seconds(Double(key % 60 + 1))) }
    time.advance(by: 100)
    for key in 0..<1000 { try memory.setObject(key, forKey: 1_000_000 + key) }
    #expect(memory.count == 1000)
    #expect(memory.statistics.removals[.expired] == 1000)
  }

  @Test("expired entries are evicted before valid ones", arguments: [1, 16])
  func expiredFirst(_ shards: Int) throws {
    let config = MemoryConfig(countLimit: 2000, clock: time.clock)
    let memory = Memory(config: config, shards: shards, cost: nil, onRemoval: nil)
    for key in 0..<2000 { try memory.setObject(key, forKey: key, expiry: key < 1000 ? .seconds(1) : nil) }
    time.advance(by: 2)
    for key in 0..<100 { try memory.setObject(key, forKey: 10_000 + key) }
    #expect(memory.statistics.evictions == 0)
  }

  @Test(
    "a storage with a sweep interval reclaims in the background, and can be released",
    .timeLimit(.minutes(10)))
  func background() async throws {
    var memory: Memory? = memory { $0.sweepInterval = 0.001 }
    try await memory?.setObject(1, forKey: 1, expiry: .seconds(1))
    time.advance(by: 2)
    while memory?.count == 1 { await Task.yield() }
    #expect(memory?.statistics.removals[.expired] == 1)
    weak let ended = memory
    memory = nil
    while ended != nil { await Task.yield() }
  }
}
