import BenchHarness
import Foundation
import Strata
import StrataRedis

/// The cost of keeping memory in front of a server coherent.
enum CoherenceSuite: Suite {
  static let name = "coherence"
  static let summary =
    "memory in front of Redis: hits, and the time from another client's write to the invalidation"
  static let options: [Option] = []

  typealias Memory = MemoryStorage<String, TypeWrapper>

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    let server = try LocalRedis()
    var report = Report("Coherence")
    try hits(isQuick ? 5_000 : 300_000, server.address, &report)
    for tracking in [RedisTracking.reads, .broadcast] {
      try announcements(isQuick ? 20 : 2_000, server.address, tracking, &report)
    }
    return report
  }

  private static func redis(_ address: RedisAddress, _ tracking: RedisTracking = .reads) throws
    -> RedisStorage<String>
  {
    try RedisStorage(
      config: RedisConfig(addresses: [address], tracking: tracking), namespace: "bench-\(tracking)")
  }

  // MARK: Hits

  private static func hits(_ operations: Int, _ address: RedisAddress, _ report: inout Report) throws {
    Progress.say("coherence: hits in memory")
    let keys = [String](numbers: 0..<10_000)
    let draws = KeySequence.uniform(operations, of: keys.count, seed: 3).map { keys[$0] }
    let values = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, Reading(number: $0)) })

    let bare = MemoryStorage<String, Reading>()
    let typed = TypeWrapperStorage(Memory(), transformer: .codable(Reading.self))
    for (key, value) in values {
      try bare.setObject(value, forKey: key)
      try typed.setObject(value, forKey: key)
    }
    let over = TypeWrapperStorage(
      HybridStorage(front: Memory(), back: try redis(address)), transformer: .codable(Reading.self))
    let untold = TypeWrapperStorage(
      HybridStorage(front: Memory(), back: try redis(address, .off)), transformer: .codable(Reading.self))
    let face = AsyncStorage(over)
    try waiting {
      try await over.setObjects(values, expiry: nil)
      try await untold.setObjects(values, expiry: nil)
      // Values are read and decoded on both sides. A value that was written would be a live object, and faster.
      for key in keys {
        try await untold.removeInMemoryObject(forKey: key)
        _ = try await untold.object(forKey: key)
      }
      // Fills memory through reads.
      for _ in 0..<2 { for key in keys { _ = try await over.object(forKey: key) } }
    }
    let found = try Comparison(operations: operations, rounds: 9).run([
      Contender("MemoryStorage, awaited") { _, _ in try AsyncStore(store: bare).read(draws) },
      Contender("TypeWrapperStorage(memory), awaited") { _, _ in try AsyncStore(store: typed).read(draws) },
      Contender("memory over Redis without tracking") { _, _ in try AsyncStore(store: untold).read(draws) },
      Contender("memory over Redis") { _, _ in try AsyncStore(store: over).read(draws) },
      Contender("AsyncStorage(memory over Redis)") { _, _ in try AsyncStore(store: face).read(draws) },
    ])
    let typedHit = found.of("TypeWrapperStorage(memory), awaited")
    report.add(
      "Hit in memory over Redis",
      "A struct of three fields under one of 10 000 String keys, drawn uniformly; one task.",
      table: ChainSuite.table(found, baseline: "MemoryStorage, awaited", unit: ("ns", 1)))
    report.add(
      .atMost(
        1.5, found.of("AsyncStorage(memory over Redis)").ratio(to: typedHit),
        "a hit through AsyncStorage over memory over Redis, against one through memory alone"))
    report.add(
      .atMost(
        1.05, found.of("memory over Redis").ratio(to: found.of("memory over Redis without tracking")),
        "a hit in tracked memory, against one in untracked memory"))
  }

  // MARK: Announcements

  private static func announcements(
    _ rounds: Int, _ address: RedisAddress, _ tracking: RedisTracking, _ report: inout Report
  ) throws {
    Progress.say("coherence: announcements, \(tracking)")
    func chain() throws -> AsyncStorage<String, Int> {
      AsyncStorage(
        TypeWrapperStorage(
          HybridStorage(front: Memory(), back: try redis(address, tracking)), transformer: .codable(Int.self))
      )
    }
    let (writer, reader) = (try chain(), try chain())
    let table = try Announcements(writer: writer, reader: reader, rounds: rounds).table
    report.add(
      tracking == .broadcast
        ? "From a write to the memory of another, broadcast" : "From a write to the memory of another",
      "Two clients of one server on the loopback; the second one reads its memory without pause.",
      table: table)
  }
}
