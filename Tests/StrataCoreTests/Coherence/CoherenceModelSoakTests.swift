import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// The order of the server's changes, and the oldest state that each front may still serve.
///
/// Each value is written once, so it identifies its change.
private final class Ledger: Sendable {
  private struct State {
    /// All values of each key, the newest last; `nil` stands for a removal.
    var history: [String: [Int?]] = [:]
    /// The number of the server's change that set each of them.
    var times: [String: [Int]] = [:]
    var changes = 0
    /// The oldest position in the history of a key that a front may still serve.
    var floors: [Int: [String: Int]] = [:]
    var faults: [String] = []
    var reads = 0
  }

  private let state = Locked(State())

  init(_ server: AnnouncingServer<Int>) { server.observe { [weak self] in self?.note($0) } }

  private func note(_ changed: [String: Int?]) {
    state.withLock { state in
      state.changes += 1
      for (key, value) in changed {
        state.history[key, default: []].append(value)
        state.times[key, default: []].append(state.changes)
      }
    }
  }

  var faults: [String] { state.withLock { $0.faults } }
  var reads: Int { state.withLock { $0.reads } }

  /// Records that a front must reflect all changes up to a time.
  func raise(_ front: Int, _ keys: [String], until time: Int) {
    state.withLock { state in
      for key in keys {
        let place = state.times[key, default: []].lastIndex { $0 <= time } ?? -1
        state.floors[front, default: [:]][key] = max(place, state.floors[front]?[key] ?? -1)
      }
    }
  }

  func floor(_ front: Int, _ key: String) -> Int { state.withLock { $0.floors[front]?[key] ?? -1 } }

  /// Checks the result of a read that began with this floor.
  func check(_ value: Int?, of key: String, front: Int, floor: Int) {
    state.withLock { state in
      state.reads += 1
      let history = state.history[key, default: []]
      // A key may have been removed more than once: the earliest matching position is assumed.
      let isYetAbsent = value == nil && floor < 0
      guard
        let place = isYetAbsent ? -1 : history.indices.first(where: { $0 >= floor && history[$0] == value })
      else {
        return state.faults.append(
          "front \(front) served \(value.map(String.init) ?? "nothing") of \(key), older than place \(floor)")
      }
      state.floors[front, default: [:]][key] = max(place, state.floors[front]?[key] ?? -1)
    }
  }
}

/// How a front drops a key.
enum FrontKind: CaseIterable {
  case prompt, suspending, blocking, nested
}

@Suite("Coherence: many fronts, tasks and clients", .timeLimit(.minutes(10)), .serialized)
struct CoherenceModelSoakTests {
  static let keys = ["a", "b", "c", "d"]

  private func chain(
    _ kind: FrontKind, _ back: SlowStorage<AnnouncingStorage<Int>>
  ) -> any StorageAware<String, Int> {
    let store = DictionaryStorage<String, Int>(yields: true, peeks: true)
    return switch kind {
    case .prompt: CombinedStorage(front: store, back: back)
    case .suspending: CombinedStorage(front: SlowStorage(store, peeks: true), back: back)
    case .blocking: CombinedStorage(front: BlockingFace(base: store), back: back)
    case .nested:
      CombinedStorage(
        front: DictionaryStorage(), back: CombinedStorage(front: SlowStorage(store), back: back))
    }
  }

  @Test(
    "no read of a front is older than the invalidations, reads and writes that it has seen",
    arguments: FrontKind.allCases)
  func model(_ kind: FrontKind) async throws {
    for round in 0..<UInt64(Soak.rounds(1, soak: 64)) {
      let seed = Soak.seed &+ round
      let server = AnnouncingServer<Int>()
      let ledger = Ledger(server)
      let clients = (0..<3).map { _ in AnnouncingStorage(server) }
      // There are two fronts over each client.
      let fronts = (0..<6).map { chain(kind, SlowStorage(clients[$0 / 2])) }
      let isOver = Shared(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, client) in clients.enumerated() {
          group.addTask {
            await Self.serve(client, of: [number * 2, number * 2 + 1], server, ledger, seed: seed) {
              isOver.value
            }
          }
        }
        // Ends the serving tasks even if a user fails.
        defer { isOver.change { $0 = true } }
        try await withThrowingTaskGroup(of: Void.self) { users in
          for user in 0..<24 {
            users.addTask {
              try await Self.use(fronts[user % 6], user % 6, ledger, user: user, seed: seed)
            }
          }
          try await users.waitForAll()
        }
      }
      #expect(ledger.faults.prefix(3) == [], "seed \(seed)")
      #expect(ledger.reads > 1_000)
      // After all invalidations are delivered, all fronts agree.
      for client in clients { client.deliverAll() }
      for front in fronts {
        for key in Self.keys {
          #expect(
            try await front.entryIfPresent(forKey: key)?.object
              == clients[0].entryIfPresent(forKey: key)?.object)
        }
      }
    }
  }

  /// Delivers invalidations in random order, and breaks and restores the link.
  private static func serve(
    _ client: AnnouncingStorage<Int>, of fronts: [Int], _ server: AnnouncingServer<Int>, _ ledger: Ledger,
    seed: UInt64, until isOver: @Sendable () -> Bool
  ) async {
    var dice = SeededGenerator(seed: seed &* 31 &+ UInt64(fronts[0]))
    while !isOver() {
      for _ in 0..<Int.random(in: 0..<4, using: &dice) { await Task.yield() }
      if let letter = client.deliver({ Int.random(in: $0, using: &dice) }) {
        for front in fronts { ledger.raise(front, letter.keys ?? Self.keys, until: letter.time) }
      }
      guard Int.random(in: 0..<400, using: &dice) == 0 else { continue }
      client.cut()
      for _ in 0..<20 { await Task.yield() }
      let time = server.time
      client.noticeLoss()
      for front in fronts { ledger.raise(front, Self.keys, until: time) }
      for _ in 0..<20 { await Task.yield() }
      client.reconnect()
    }
  }

  /// Reads and writes through a front, and records the results.
  private static func use(
    _ front: any StorageAware<String, Int>, _ number: Int, _ ledger: Ledger, user: Int, seed: UInt64
  ) async throws {
    var dice = SeededGenerator(seed: seed &* 1_000 &+ UInt64(user))
    for step in 0..<120 {
      let key = Self.keys.randomElement(using: &dice) ?? "a"
      let floor = ledger.floor(number, key)
      switch Int.random(in: 0..<100, using: &dice) {
      case 0..<60:
        var entry = front.peek(forKey: key)
        if entry == nil { entry = try await front.entryIfPresent(forKey: key) }
        let value = entry?.object
        ledger.check(value, of: key, front: number, floor: floor)
      case 60..<72:
        let floors = Self.keys.map { ledger.floor(number, $0) }
        let found = try await front.entries(forKeys: Self.keys)
        for (key, floor) in zip(Self.keys, floors) {
          ledger.check(found[key]?.object, of: key, front: number, floor: floor)
        }
      case 72..<90:
        let value = (user * 1_000 + step) * 10
        try await front.setObject(value, forKey: key, expiry: nil)
        ledger.check(value, of: key, front: number, floor: -1)
      case 90..<94:
        let value = (user * 1_000 + step) * 10
        try await front.setObjects(["a": value + 1, "b": value + 2], expiry: nil)
        ledger.check(value + 1, of: "a", front: number, floor: -1)
        ledger.check(value + 2, of: "b", front: number, floor: -1)
      case 94..<99:
        try await front.removeObject(forKey: key)
      default:
        try await front.removeAll()
      }
    }
  }
}
