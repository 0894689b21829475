import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

/// Random operations of tasks and threads, each with or without `await`, on combinators over stores that suspend. No
/// operation hangs, and some order of each key's operations explains the results.
@Suite("Callers with and without await: Soak", .ends(within: Soak.isOn ? .seconds(86_400) : .seconds(120)))
struct MixedHistorySoakTests {
  private typealias Store = any SyncStorageAware<String, Int>

  private func storage() -> Storage<String, Int> {
    Storage(
      front: MemoryStorage<String, TypeWrapper>(config: MemoryConfig(countLimit: 2)),
      back: DictionaryStorage<String, Data>(yields: true), transformer: .codable(Int.self))
  }

  private func store(_ random: inout SeededGenerator, depth: Int = 0) -> Store {
    guard depth < 2, Int.random(in: 0..<3, using: &random) > 0 else {
      return Bool.random(using: &random) ? storage() : MemoryStorage<String, Int>()
    }
    return link(store(&random, depth: depth + 1), store(&random, depth: depth + 1), &random)
  }

  private func link<Front: SyncStorageAware<String, Int>>(
    _ front: Front, _ back: Store, _ random: inout SeededGenerator
  ) -> Store {
    func over<Back: SyncStorageAware<String, Int>>(_ back: Back) -> Store {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: front.combined(with: back)
      case 1: front.pushing(to: back)
      case 2: front.backed(by: MemoryStorage<String, Int>().serial())
      case 3: front.cacheStrategy(.cache)
      default: front.serial()
      }
    }
    return over(back)
  }

  @Test("some order of the operations explains every history of mixed callers")
  func histories() async throws {
    for round in 0..<Soak.rounds(60, soak: 20_000) {
      let seed = Soak.seed &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      let store = store(&random)
      let history = ChainHistory(keys: ["a", "b"])
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<5 {
          var random = SeededGenerator(seed: seed &* 131 &+ UInt64(worker))
          group.addTask {
            for _ in 0..<6 {
              let step = random.next()
              let act = Act(step, history)
              do {
                let found =
                  switch step % 6 {
                  case 0: try await onThread { try act.runBlocking(store) }
                  case 1, 3: try blocking { try act.runBlocking(store) }
                  default: try await act.run(store)
                  }
                act.note(found, in: history, by: "\(worker)")
              } catch { Issue.record(error, "seed \(seed)") }
            }
          }
        }
      }
      for key in history.keys {
        let last = try await store.objectIfPresent(forKey: key)
        let events = history.events(key) + [HistoryEvent(.read(last), start: .max - 1, end: .max, by: "end")]
        if !isLinearizable(events, from: nil) {
          Issue.record("seed \(seed), \(names(store)), key \(key): \(events)")
          return
        }
      }
    }
  }

  private func names(_ store: any StorageDesign) -> String {
    "\(store.storageName)(\(store.wrappedStorages.map(names).joined(separator: ", ")))"
  }
}

/// A random operation, which can be run with and without `await`.
private struct Act: Sendable {
  enum Kind: CaseIterable { case write, read, remove, writeAll, readAll, removeAll }

  let kind: Kind
  let keys: [String]
  let start: Int
  let id: Int

  init(_ seed: UInt64, _ history: ChainHistory) {
    var random = SeededGenerator(seed: seed)
    kind = Kind.allCases.randomElement(using: &random) ?? .read
    keys =
      [.write, .read, .remove].contains(kind)
      ? Array(history.keys.shuffled(using: &random).prefix(1)) : history.keys
    (start, id) = (history.now, history.newID())
  }

  /// Returns what was read.
  func run(_ store: some SyncStorageAware<String, Int>) async throws -> [String: Int] {
    switch kind {
    case .write: try await store.setObject(id, forKey: keys[0], expiry: nil)
    case .read: return try await store.objectIfPresent(forKey: keys[0]).map { [keys[0]: $0] } ?? [:]
    case .remove: try await store.removeObject(forKey: keys[0])
    case .writeAll: try await store.setObjects(["a": id, "b": id], expiry: nil)
    case .readAll: return try await store.entries(forKeys: keys).mapValues(\.object)
    case .removeAll: try await store.removeAll()
    }
    return [:]
  }

  /// Returns what was read.
  func runBlocking(_ store: some SyncStorageAware<String, Int>) throws -> [String: Int] {
    switch kind {
    case .write: try store.setObject(id, forKey: keys[0], expiry: nil)
    case .read: return try store.objectIfPresent(forKey: keys[0]).map { [keys[0]: $0] } ?? [:]
    case .remove: try store.removeObject(forKey: keys[0])
    case .writeAll: try store.setObjects(["a": id, "b": id], expiry: nil)
    case .readAll: return try store.entries(forKeys: keys).mapValues(\.object)
    case .removeAll: try store.removeAll()
    }
    return [:]
  }

  func note(_ found: [String: Int], in history: ChainHistory, by name: String) {
    for key in keys {
      let action: HistoryEvent.Action =
        switch kind {
        case .write, .writeAll: .write(id)
        case .read, .readAll: .read(found[key])
        case .remove, .removeAll: .remove
        }
      history.add(action, key, since: start, by: name)
    }
  }
}
