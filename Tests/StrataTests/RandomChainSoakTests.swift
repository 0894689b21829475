import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

/// Random concurrent operations by threads and tasks on random chains, whose innermost store fails, delays and
/// suspends. No operation hangs, and some order of each key's operations explains the results.
@Suite("Random chains: Soak", .ends(within: Soak.isOn ? .seconds(86_400) : .seconds(120)))
struct RandomChainSoakTests {
  @Test("some order of the operations explains every history of a chain", arguments: [true, false])
  func model(isAwaited: Bool) async throws {
    var operations = 0
    for round in 0..<Soak.rounds(40, soak: 20_000) {
      let seed = Soak.seed &+ UInt64(round)
      var chain = RandomChain(seed: seed)
      let target = isAwaited ? Target.async(chain.server()) : Target.sync(chain.storage())
      var states: [String: Int?] = [:]
      for part in 0..<4 {
        let history = ChainHistory(keys: Self.keys)
        await actAtOnce(on: target, seed &* 31 &+ UInt64(part), history)
        operations += history.count
        for key in Self.keys {
          let last = try await target.settled(key)
          let end = HistoryEvent(.read(last), start: .max - 1, end: .max, by: "end")
          let events = history.events(key) + [end]
          if events.count <= 64, !isLinearizable(events, from: states[key] ?? nil) {
            let before = String(describing: states[key] ?? nil)
            Issue.record("seed \(seed), \(chain.links), part \(part), key \(key), from \(before): \(events)")
            return
          }
          states[key] = .some(last)
        }
      }
    }
    if Soak.isOn { print("RandomChainSoakTests: \(operations) operations from seed \(Soak.seed)") }
  }

  static let keys = ["a", "b", "c"]

  /// Every other time, an observer acts too, from inside its calls.
  private func actAtOnce(on target: Target, _ seed: UInt64, _ history: ChainHistory) async {
    guard case .sync(let storage) = target, seed % 2 == 0 else {
      return await actAtOnce(on: target, seed, history, workers: 5)
    }
    let worker = ChainWorker(target: target, history: history, name: "observer", seed: seed &* 131)
    let observer = ChainObserver(worker)
    observer.observe(storage, Self.keys[Int(seed % 3)])
    await actAtOnce(on: target, seed, history, workers: 4)
    await observer.end(storage)
  }

  private func actAtOnce(
    on target: Target, _ seed: UInt64, _ history: ChainHistory, workers: Int
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<workers {
        let worker = ChainWorker(
          target: target, history: history, name: "\(index)", seed: seed &* 131 &+ UInt64(index))
        group.addTask { await worker.work(onThread: index < 2) }
      }
      await group.waitForAll()
    }
  }
}

/// A chain, and the way in which it is used.
enum Target: Sendable {
  case sync(Storage<String, Int>)
  case async(AsyncStorage<String, Int>)

  var async: AsyncStorage<String, Int> {
    switch self {
    case .sync(let storage): storage.async
    case .async(let storage): storage
    }
  }

  /// Returns the final value of a key, retrying as often as the store fails.
  func settled(_ key: String) async throws -> Int? {
    for _ in 0..<1_000 {
      do { return try await async.objectIfPresent(forKey: key) } catch Failure.first {}
    }
    throw Failure.second
  }
}

/// The operations on each key.
final class ChainHistory: Sendable {
  private let state: Locked<(time: Int, events: [String: [HistoryEvent]])>
  let keys: [String]

  init(keys: [String]) {
    self.keys = keys
    state = Locked((0, [:]))
  }

  var count: Int { state.withLock { $0.events.values.reduce(0) { $0 + $1.count } } }
  var now: Int {
    state.withLock { state in
      state.time += 1
      return state.time
    }
  }
  /// Returns a value that no other worker writes.
  func newID() -> Int { Int.random(in: 0 ... .max) }
  func events(_ key: String) -> [HistoryEvent] { state.withLock { $0.events[key] ?? [] } }

  func add(_ action: HistoryEvent.Action, _ key: String, since start: Int, by name: String) {
    let end = now
    let event = HistoryEvent(action, start: start, end: end, by: name)
    state.withLock { $0.events[key, default: []].append(event) }
  }
}
