import Foundation
import Strata
import TestSupport
import Testing

@Suite("Events of a chain", .timeLimit(.minutes(5)), .endsInTime)
struct EventTests {
  @Test("each operation of each tier is reported", arguments: Mode.allCases)
  func sequence(mode: Mode) async throws {
    let chains = Chains(.disk)
    let store = try chains.open(Int.self)
    let log = EventLog(store)
    try await mode.set(store, "a", 1)
    #expect(log.take() == ["disk write a", "memory write a"])
    #expect(try await mode.get(store, "a") == 1)
    #expect(log.take() == ["memory hit a"])
    try blocking { try store.removeInMemoryObject(forKey: "a") }
    #expect(log.take() == ["memory removal a"])
    #expect(try await mode.get(store, "a") == 1)
    #expect(log.take() == ["disk hit a", "memory miss a", "memory promotion a"])
    #expect(try await mode.get(store, "b") == nil)
    #expect(log.take() == ["disk miss b", "memory miss b"])
    try blocking { try store.removeObject(forKey: "a") }
    #expect(log.take() == ["disk removal a", "memory removal a"])
    try blocking { try store.setObjects(["x": 1, "y": 2], expiry: nil) }
    #expect(log.take() == ["disk write 2", "memory write 2"])
    try blocking { try store.removeAll() }
    #expect(log.take() == ["disk removal 0", "memory removal 0"])
  }

  @Test(
    "the counters say what the events said, with and without listeners", arguments: ChainKind.allCases,
    Mode.allCases)
  func counters(kind: ChainKind, mode: Mode) async throws {
    let chains = Chains(kind)
    let store = try chains.open(Int.self)
    let log = EventLog(store)
    var generator = SeededGenerator(seed: 39)
    var model: [String: Int] = [:]
    for round in 0..<400 {
      let key = "\(Int.random(in: 0..<12, using: &generator))"
      // What happens while nobody listens is counted all the same.
      if round == 200 { log.end() }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<3:
        try await mode.set(store, key, round)
        model[key] = round
      case 3..<8: #expect(try await mode.get(store, key) == model[key])
      case 8:
        try blocking { try store.removeObject(forKey: key) }
        model[key] = nil
      default:
        if kind != .memoryOnly { try blocking { try store.removeInMemoryObject(forKey: key) } }
      }
      if round < 200 {
        let statistics = store.statistics
        for (number, tier) in statistics.tiers.enumerated() where kind != .threeTiers || number == 0 {
          let told = log.counts[tier.name] ?? [:]
          #expect(tier.hits == told["hit", default: 0], "\(round) \(tier.name)")
          #expect(tier.misses == told["miss", default: 0], "\(round) \(tier.name)")
          #expect(tier.writes == told["write", default: 0], "\(round) \(tier.name)")
          #expect(tier.promotions == told["promotion", default: 0], "\(round) \(tier.name)")
          #expect(tier.evictions == told["eviction", default: 0], "\(round) \(tier.name)")
        }
      }
    }
    let first = try #require(store.statistics.tiers.first)
    let told = log.counts[first.name] ?? [:]
    #expect(first.hits > told["hit", default: 0])
    #expect(first.writes > told["write", default: 0])
    #expect(store.statistics.tiers.map(\.name) == kind.tierNames)
  }

  @Test("evictions and expiries are reported by the memory that makes them")
  func evictions() throws {
    let time = ManualClock()
    let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig(countLimit: 2, clock: time.clock))
    let store = Storage<String, Int>(TypeWrapperStorage(memory, transformer: .codable(Int.self)))
    let log = EventLog(store)
    for number in 0..<4 { try store.setObject(number, forKey: "\(number)") }
    #expect(log.counts["memory"]?["eviction"] == 2)
    try store.setObject(9, forKey: "brief", expiry: .seconds(1))
    time.advance(by: .seconds(2))
    try store.removeExpiredObjects()
    #expect(log.counts["memory"]?["expiry"] == 1)
    #expect(store.statistics["memory"]?.expiries == 1)
    #expect(store.statistics["memory"]?.evictions == 3)
  }

  @Test("a tier that fails is reported with its error, and in bad health until it succeeds")
  func failures() async throws {
    let back = FaultyDictionary()
    let store = Storage<String, Int>(
      front: MemoryStorage(), back: back, transformer: .codable(Int.self))
    let log = EventLog(store)
    back.fails = true
    #expect(throws: FaultyDictionary.Down.self) { try store.setObject(1, forKey: "a") }
    #expect(log.take() == ["faultydictionary failure a"])
    var health = await store.health()
    #expect(!health.isAvailable)
    #expect(health.tiers.map(\.name) == ["memory", "faultydictionary"])
    #expect(health.tiers.map(\.isAvailable) == [true, false])
    let since = try #require(health.tiers[1].since)
    let again = await store.health()
    #expect(again.tiers[1].since == since)
    #expect("\(again)".contains("faultydictionary: not available since "))
    back.fails = false
    try await store.async.setObject(1, forKey: "a")
    health = await store.health()
    #expect(health.isAvailable && health.tiers[1].since == nil)
    #expect(store.statistics["faultydictionary"]?.failures == 1)
  }

  @Test("a tier that hangs is unavailable after the limit, and the check returns")
  func hanging() async throws {
    let back = FaultyDictionary()
    let store = Storage<String, Int>(
      front: MemoryStorage(), back: back, transformer: .codable(Int.self))
    back.hold.withLock { $0 = true }
    let health = await store.health(within: .milliseconds(20))
    #expect(health.tiers.map(\.isAvailable) == [true, false])
    back.hold.withLock { $0 = false }
  }

  @Test("a store without tiers is asked itself")
  func withoutTiers() async {
    let store = FaultyDictionary()
    #expect(await store.health().tiers.map(\.name) == ["faultydictionary"])
    store.fails = true
    #expect(await !store.health().isAvailable)
  }

  @Test("damage on the disk is reported, and to the configuration's closure too")
  func damage() throws {
    let folder = TemporaryFolder()
    let seen = Locked(0)
    let config = DiskConfig(
      name: "d", directory: folder.url, layout: .files, onDamage: { _ in seen.withLock { $0 += 1 } })
    let disk = try DiskStorage<String>(config: config)
    try disk.setObject(Data(repeating: 7, count: 100), forKey: "a")
    let path = try #require(try disk.entry(forKey: "a").filePath)
    try Data(repeating: 0, count: 10).write(to: URL(filePath: path))
    let log = EventLog(disk)
    #expect(throws: StorageError.self) { try disk.object(forKey: "a") }
    _ = try disk.verify()
    #expect(disk.statistics["disk"]?.damages ?? 0 == seen.withLock { $0 })
    #expect(log.counts["disk"]?["damage"] ?? 0 == seen.withLock { $0 })
  }

  @Test("keys that a chain maps are reported as its callers know them, or not at all")
  func mappedKeys() throws {
    let memory = MemoryStorage<Int, String>(config: MemoryConfig(countLimit: 1))
    let back = DictionaryStorage<String, String>()
    let store = memory.mapKeys(to: String.self, mapTo: { "\($0)" }, mapFrom: { Int($0) ?? 0 }).combined(
      with: back)
    let log = EventLog(store)
    try store.setObject("one", forKey: "1")
    try store.setObject("two", forKey: "2")
    let told = log.take()
    #expect(told.contains("memory write 1") && told.contains("memory write 2"))
    #expect(told.contains("memory eviction -"))
  }

  @Test("no hit is lost while listeners come and go", arguments: [ChainKind.disk, .memoryOnly])
  func comingAndGoing(kind: ChainKind) async throws {
    let store = try Chains(kind).open(Int.self)
    for key in 0..<8 { try await store.async.setObject(key, forKey: "\(key)") }
    let before = try #require(store.statistics["memory"]).hits
    let isDone = Locked(false)
    async let switching: Int = {
      var rounds = 0
      while !isDone.withLock({ $0 }) {
        let token = store.listen { _ in }
        await Task.yield()
        token.cancel()
        rounds += 1
      }
      return rounds
    }()
    await withTaskGroup(of: Void.self) { group in
      for reader in 0..<4 {
        group.addTask {
          for round in 0..<5000 {
            do { _ = try await store.async.object(forKey: "\((round + reader) % 8)") } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    isDone.withLock { $0 = true }
    #expect(await switching > 0)
    #expect(try #require(store.statistics["memory"]).hits == before + 20_000)
  }

  @Test("several listeners are called in their order for each event, while others come and go")
  func order() throws {
    let store = try Chains(.memoryOnly).open(Int.self)
    try store.setObject(1, forKey: "a")
    let called = Locked<[Int]>([])
    let tokens = (0..<3).map { number in store.listen { _ in called.withLock { $0.append(number) } } }
    let others = Locked<[ObservationToken]>([])
    let changing = store.listen { _ in
      let other = store.listen { _ in }
      let old = others.withLock { others in
        defer { others = [other] }
        return others
      }
      for token in old { token.cancel() }
    }
    for _ in 0..<100 { _ = try store.object(forKey: "a") }
    #expect(called.withLock { $0 } == (0..<300).map { $0 % 3 })
    tokens[1].cancel()
    called.withLock { $0 = [] }
    _ = try store.object(forKey: "a")
    #expect(called.withLock { $0 } == [0, 2])
    changing.cancel()
  }

  @Test("an event fits into six words: larger ones are destroyed by functions of the runtime")
  func size() { #expect(MemoryLayout<StorageEvent<String>>.size <= 48) }

  @Test("the stream of events ends with the store")
  func ending() async throws {
    var store: Storage<String, Int>? = Storage(
      TypeWrapperStorage(MemoryStorage<String, TypeWrapper>(), transformer: .codable(Int.self)))
    let events = try #require(store).events
    try await store?.async.setObject(1, forKey: "a")
    store = nil
    var names: [String] = []
    for await event in events { names.append(event.kind.name) }
    #expect(names == ["write"])
  }

  @Test("a loading store reports its loads and its tiers")
  func loading() async throws {
    let users = try Chains(.disk).open(Int.self).loading { _ in .value(7) }
    let log = EventLog(users)
    #expect(try await users.object(forKey: "a") == 7)
    #expect(try await users.object(forKey: "a") == 7)
    #expect(
      log.take() == [
        "disk miss a", "disk write a", "loading hit a", "loading loaded a", "loading miss a", "memory hit a",
        "memory miss a", "memory write a",
      ])
    #expect(StorageStatistics(of: users).tiers.map(\.name) == ["loading", "memory", "disk"])
    #expect(StorageStatistics(of: users)["loading"]?.hits == 1)
  }

  @Test("the OpenMetrics text of several stores names each metric once, and has no key")
  func openMetrics() throws {
    let store = try Chains(.disk).open(Int.self)
    try store.setObject(1, forKey: "a secret key")
    _ = try store.object(forKey: "a secret key")
    let text = StorageStatistics.openMetrics(of: [("users", store.statistics), ("more", store.statistics)])
    let lines = text.split(separator: "\n")
    #expect(lines.contains(#"strata_tier_reads_total{store="users",tier="memory",found="hit"} 1"#))
    #expect(lines.contains(#"strata_tier_writes_total{store="more",tier="disk"} 1"#))
    #expect(lines.contains(#"strata_tier_entries{store="users",tier="memory"} 1"#))
    #expect(lines.last == "# EOF")
    #expect(!text.contains("secret"))
    let types = lines.filter { $0.hasPrefix("# TYPE") }
    #expect(Set(types).count == types.count && types.count >= 8)
    let twoDisks = try Chains(.threeTiers).open(Int.self).statistics.openMetrics(store: "users")
    #expect(twoDisks.contains(#"{store="users",tier="disk 2"}"#))
    let series = twoDisks.split(separator: "\n").map { $0.prefix { $0 != "}" } }
    #expect(Set(series).count == series.count, "no series is repeated")
  }
}

extension ChainKind {
  fileprivate var tierNames: [String] {
    switch self {
    case .memoryOnly: ["memory"]
    case .threeTiers: ["memory", "disk", "disk"]
    case .disk, .tinyMemory, .compressed, .byHand: ["memory", "disk"]
    }
  }
}

/// A store of bytes that fails, or blocks its callers, on demand.
private final class FaultyDictionary: SyncSimpleStorage {
  struct Down: Error {}

  private let inner = DictionaryStorage<String, Data>()
  private let state = Locked(false)
  let hold = Locked(false)

  var fails: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  private func pass() throws {
    while hold.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
    if fails { throw Down() }
  }

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    try pass()
    return try inner.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try pass()
    try inner.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws {
    try pass()
    try inner.removeObject(forKey: key)
  }
  func removeAll() throws {
    try pass()
    try inner.removeAll()
  }
  func removeExpiredObjects() throws {
    try pass()
    try inner.removeExpiredObjects()
  }
  func keys() throws -> [String] {
    try pass()
    return try inner.keys()
  }
}
