import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: a clock that is set back")
struct MemoryClockTests {
  private func memory(by time: ManualClock) -> MemoryStorage<Int, Int> {
    MemoryStorage(config: MemoryConfig(clock: time.clock))
  }

  @Test(
    "after the clock has jumped forth and back, writes reclaim what has expired as before",
    arguments: [2, 100, 86_400, 1e8])
  func forthAndBack(_ jump: Double) throws {
    let time = ManualClock()
    let memory = memory(by: time)
    try memory.setObject(0, forKey: -1, expiry: .never)
    for key in 0..<1000 { try memory.setObject(key, forKey: key, expiry: .seconds(jump + 1000)) }
    time.advance(by: jump)
    try memory.setObject(0, forKey: -2, expiry: .seconds(10))
    time.advance(by: -jump)
    for key in 1000..<2000 { try memory.setObject(key, forKey: key, expiry: .seconds(10)) }
    #expect(memory.count >= 2000)
    time.advance(by: 20)
    // A write examines eight timers, so these writes examine all of them.
    for key in 3000..<4000 { try memory.setObject(key, forKey: key, expiry: .seconds(60)) }
    #expect(memory.count <= 2 + 1000 + 1000, "entries written after the jump have expired, and are gone")
    #expect(try memory.objectIfPresent(forKey: 0) == 0)
    time.advance(by: jump + 2000)
    try memory.removeExpiredObjects()
    #expect(memory.count == 1)
  }

  @Test("a sweep after the clock was set back finds exactly the expired entries")
  func sweep() throws {
    let time = ManualClock()
    let memory = memory(by: time)
    for key in 0..<500 { try memory.setObject(key, forKey: key, expiry: .seconds(Double(key) + 0.5)) }
    time.advance(by: 100)
    try memory.removeExpiredObjects()
    #expect(memory.count == 400)
    time.advance(by: -1000)
    for key in 0..<100 { try memory.setObject(key, forKey: key, expiry: .seconds(Double(key) + 0.5)) }
    for step in 1...100 {
      time.advance(by: 1)
      try memory.removeExpiredObjects()
      #expect(memory.count == 500 - step)
    }
    time.advance(by: 1500)
    try memory.removeExpiredObjects()
    #expect(memory.count == 0)
  }
}

@Suite("MemoryStorage: a clock that jumps")
struct MemoryClockSoakTests {
  /// With one shard, a jump leaves more timers to set again than the writes until the next jump do.
  @Test("expired entries are reclaimed eventually, and others stay", arguments: [1, 16])
  func jumps(_ shards: Int) throws {
    let seed = Soak.seed
    var generator = SeededGenerator(seed: seed)
    let time = ManualClock()
    let memory = MemoryStorage<Int, Int>(
      config: MemoryConfig(clock: time.clock), shards: shards, cost: nil, onRemoval: nil)
    var dates: [Int: Date] = [:]
    for round in 0..<Soak.rounds(300, soak: 50_000) {
      // From less than a timer's precision to a week, either way.
      let jump: Double = [0.01, 0.1, 1, 10, 2000, 600_000].randomElement(using: &generator) ?? 1
      time.advance(by: Double.random(in: -jump...jump, using: &generator))
      for _ in 0..<10 {
        let key = Int.random(in: 0..<200, using: &generator)
        let date = time.date.addingTimeInterval(Double.random(in: 0.01...1.5 * jump, using: &generator))
        try memory.setObject(round, forKey: key, expiry: .date(date))
        dates[key] = date
      }
      if Int.random(in: 0..<10, using: &generator) == 0 {
        try memory.removeExpiredObjects()
        for (key, date) in dates where date <= time.date { dates[key] = nil }
        #expect(memory.count == dates.count, "seed \(seed), round \(round)")
      } else {
        for key in dates.filter({ $0.value <= time.date }).keys where memory.peek(forKey: key) == nil {
          dates[key] = nil
        }
      }
      for (key, date) in dates where date > time.date {
        try #require(memory.peek(forKey: key) != nil, "seed \(seed), round \(round), key \(key)")
      }
    }
  }
}

#if os(Linux)
  @Suite("MemoryStorage: freed memory", .serialized)
  struct MemoryReturnTests {
    /// Returns the resident memory of this process in bytes.
    private func resident() throws -> Int {
      let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test(
      "after removeAll of many entries, the process gives their memory back",
      .disabled(if: Sanitizer.isOn, "a sanitizer's allocator keeps freed memory"))
    func removeAll() throws {
      let memory = MemoryStorage<Int, Data>()
      // Freed at the end: otherwise the allocator could return the memory before it by itself.
      let before = try resident()
      for key in 0..<200_000 { try memory.setObject(Data(count: 200), forKey: key, expiry: nil) }
      let last = Array(repeating: UInt8(1), count: 2000)
      let full = try resident()
      try #require(full - before > 40 << 20)
      try memory.removeAll()
      let after = try resident()
      withExtendedLifetime(last) {}
      #expect(after - before < (full - before) / 3, "\(before >> 20), \(full >> 20), \(after >> 20) MB")
    }
  }
#endif
