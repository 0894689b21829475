import BenchHarness
import Foundation
import Strata
import Synchronization

/// Hits in memory, through more and more combinators.
struct ChainHits {
  let operations: Int

  private static let count = 10_000
  typealias Memory = MemoryStorage<String, TypeWrapper>

  func measure(_ folder: URL, _ report: inout Report) throws {
    Progress.say("chain: hits in memory")
    let numbers = Array(0..<Self.count)
    let keys = [String](numbers: numbers)
    let draws = KeySequence.uniform(operations, of: Self.count, seed: 3).map { keys[$0] }

    let dictionary = LockedDictionary<String, Reading>()
    let actor = ActorDictionary<String, Reading>()
    let nsCache = FoundationCache<String, Reading>()
    let memory = SyncStore(store: MemoryStorage<String, Reading>())
    let typed = SyncStore(store: TypeWrapperStorage(Memory(), transformer: .codable(Reading.self)))
    let hybrid = SyncStore(
      store: TypeWrapperStorage(
        HybridStorage(front: Memory(), back: try disk("hybrid", folder)), transformer: .codable(Reading.self))
    )
    let storage = Storage<String, Reading>(
      front: Memory(), back: try disk("storage", folder), transformer: .codable(Reading.self))
    let view = storage.transform(to: .codable(Reading.self))
    let watched = Storage<String, Reading>(
      front: Memory(), back: try disk("watched", folder), transformer: .codable(Reading.self))
    let events = HitCount()
    watched.listen { _ in events.add() }
    for (key, number) in zip(keys, numbers) {
      let reading = Reading(number: number)
      dictionary.store(reading, forKey: key)
      nsCache.store(reading, forKey: key)
      try memory.store(reading, forKey: key)
      try typed.store(reading, forKey: key)
      try hybrid.store(reading, forKey: key)
      try storage.setObject(reading, forKey: key)
      try watched.setObject(reading, forKey: key)
    }
    _ = try actor.write(Reading(number: 1), forKeys: keys)

    let found = try Comparison(operations: operations, rounds: 9).run([
      Contender(Name.dictionary) { _, _ in try dictionary.read(draws) },
      Contender(Name.actor) { _, _ in try actor.read(draws) },
      Contender(Name.nsCache) { _, _ in try nsCache.read(draws) },
      Contender(Name.memory) { _, _ in try memory.read(draws) },
      Contender("TypeWrapperStorage(memory)") { _, _ in try typed.read(draws) },
      Contender("TypeWrapperStorage(HybridStorage(memory, disk))") { _, _ in try hybrid.read(draws) },
      Contender("Storage(memory, disk)") { _, _ in try SyncStore(store: storage).read(draws) },
      Contender("Storage.transform(to:)") { _, _ in try SyncStore(store: view).read(draws) },
      Contender("Storage(memory, disk), with a listener of events") { _, _ in
        try SyncStore(store: watched).read(draws)
      },
      Contender("AsyncStorage(memory, disk)") { _, _ in try AsyncStore(store: storage.async).read(draws) },
    ])
    report.add(
      "Hit in memory",
      "A struct of three fields under one of \(Cell.count(Self.count).shown) String keys, drawn uniformly; one thread.",
      table: ChainSuite.table(found, baseline: Name.dictionary, unit: ("ns", 1)))
  }

  private func disk(_ name: String, _ folder: URL) throws -> DiskStorage<String> {
    try DiskStorage(config: DiskConfig(name: name, directory: folder))
  }
}

/// Counts events, so that the listener does something.
private final class HitCount: Sendable {
  private let count = Atomic(0)

  func add() { count.wrappingAdd(1, ordering: .relaxed) }
}
