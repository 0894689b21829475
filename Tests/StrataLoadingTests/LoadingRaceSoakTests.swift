import Foundation
import StrataAlgebra
import TestSupport
import Testing

@testable import Strata
@testable import StrataLoading

@Suite("Loading: reads, writes and removals at once (Soak)", .timeLimit(.minutes(10)), .endsInTime)
struct LoadingRaceSoakTests {
  /// What values are stored in.
  enum Base: CaseIterable {
    case memory, slow, tiers, chain, blockingChain

    func loading(_ numbers: Numbers) -> LoadingStorage<String, Int> {
      let load: @Sendable (LoadRequest<String, Int>) async throws -> Loaded<Int> = {
        .value(await numbers.load($0.key), tags: ["t"])
      }
      let memory = MemoryStorage<String, Cached<Int>>()
      let slow = SlowStorage(DictionaryStorage<String, Cached<Int>>(yields: true))
      let bytes = DictionaryStorage<String, Data>(yields: true)
      return switch self {
      case .memory: memory.loading(LoadPolicy(), load)
      case .slow: slow.loading(LoadPolicy(), load)
      case .tiers: memory.combined(with: slow).loading(LoadPolicy(), load)
      case .chain:
        AsyncStorage<String, Int>(
          front: MemoryStorage<String, TypeWrapper>(), back: SlowStorage(bytes),
          transformer: .codable(Int.self)
        ).loading(LoadPolicy(), load)
      case .blockingChain:
        Storage<String, Int>(
          front: MemoryStorage<String, TypeWrapper>(), back: bytes, transformer: .codable(Int.self)
        ).loading(LoadPolicy(), load)
      }
    }
  }

  static let keys = ["a", "b", "c"]

  /// Runs a writer of each key, one of all keys, and twelve readers.
  func run(
    _ numbers: Numbers, seed: UInt64,
    write: @escaping @Sendable (_ keys: [String], inout SeededGenerator) async throws -> Void,
    read: @escaping @Sendable (_ keys: [String]) async throws -> [String: Int]
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      // No two writers of one key: of two concurrent writes either may be the last.
      for writer in 0..<2 {
        group.addTask {
          var dice = SeededGenerator(seed: seed &* 64 &+ UInt64(writer))
          for _ in 0..<60 {
            let keys = writer == 0 ? ["a"] : Int.random(in: 0..<3, using: &dice) == 0 ? ["b", "c"] : ["b"]
            try await write(keys, &dice)
            for _ in 0..<Int.random(in: 0..<8, using: &dice) { await Task.yield() }
          }
        }
      }
      for reader in 2..<14 {
        group.addTask {
          var dice = SeededGenerator(seed: seed &* 64 &+ UInt64(reader))
          for _ in 0..<60 {
            let keys =
              Int.random(in: 0..<4, using: &dice) == 0
              ? Self.keys : [Self.keys.randomElement(using: &dice) ?? ""]
            try await numbers.check(keys) { try await read(keys) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(numbers.faults.prefix(3) == [], "seed \(seed)")
    #expect(numbers.reads == 12 * 60)
  }

  @Test(
    "a loading store returns no number from before a write or a removal that has ended",
    arguments: Base.allCases)
  func loading(_ base: Base) async throws {
    for round in 0..<UInt64(Soak.rounds(2, soak: 400)) {
      let numbers = Numbers()
      let cache = base.loading(numbers)
      try await run(numbers, seed: Soak.seed &+ round) { keys, dice in
        let kind =
          ["set", "set", "remove", "remove", "removeMany", "expire"].randomElement(using: &dice) ?? ""
        try await numbers.write(keys, kind, inOrigin: kind != "set") { number in
          switch kind {
          case "set":
            if keys.count > 1 {
              try await cache.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, number) }))
            } else {
              try await cache.setObject(number, forKey: keys[0])
            }
          case "remove": for key in keys { try await cache.removeObject(forKey: key) }
          case "removeMany": try await cache.removeObjects(forKeys: keys)
          default: for key in keys { try await cache.expire(forKey: key) }
          }
        }
      } read: { keys in
        keys.count > 1
          ? try await cache.objects(forKeys: keys) : [keys[0]: try await cache.object(forKey: keys[0])]
      }
    }
  }

  @Test("nor does `object(forKey:orLoad:)`", arguments: ObjectOrLoadTests.stores.indices.dropLast())
  func orLoad(_ index: Int) async throws {
    for round in 0..<UInt64(Soak.rounds(2, soak: 400)) {
      let numbers = Numbers()
      let store = ObjectOrLoadTests.stores[index]()
      try await run(numbers, seed: Soak.seed &+ round) { keys, dice in
        let isRemoval = Bool.random(using: &dice)
        try await numbers.write(keys, isRemoval ? "remove" : "set", inOrigin: isRemoval) { number in
          for key in keys {
            if isRemoval {
              try await store.removeObject(forKey: key)
            } else {
              try await store.setObject(number, forKey: key)
            }
          }
        }
      } read: { keys in
        var found: [String: Int] = [:]
        for key in keys {
          found[key] = try await store.object(forKey: key) { await numbers.load(key) }
        }
        return found
      }
    }
  }
}
