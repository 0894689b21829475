import Foundation
import StrataCore
import StrataRedis
import StrataTestKit
import TestSupport
import Testing

/// Random operations on few keys over three connections, while connections are cut, held and delivered late, tasks are
/// cancelled, and the server is killed. Acknowledged writes take effect, none is overwritten by an earlier one, and
/// none arrives late: single values and batches, removals, conditional writes, counters and updates.
///
/// A few thousand operations in `make test`, ten million in `make soak`.
@Suite(.timeLimit(.minutes(Soak.rounds(5, soak: 240)))) struct RedisLinearizabilitySoakTests {
  private static let tasks = Soak.rounds(12, soak: 24)
  private static let keys = 8

  /// Tests several servers concurrently, so that the processor is busy while one of them restarts.
  @Test(arguments: 0..<Soak.rounds(1, soak: 5)) func historiesAreLinearizable(_ rig: Int) async throws {
    let seed = Soak.seed &+ UInt64(rig) &* 7_919
    // Acknowledged writes must survive the server's process; the system's memory is enough for that.
    let server = try await RedisServer(["--appendonly", "yes", "--appendfsync", "no"])
    let proxy = Proxy(to: server)
    let config = RedisConfig(
      addresses: [proxy.address], connections: 3, timeout: .seconds(2), connectTimeout: .seconds(1),
      heartbeat: .milliseconds(500))
    let client = RedisClient(config: config)
    let rounds = Soak.rounds(1, soak: 200)
    var totals: [String: Int] = [:]
    for round in 0..<rounds {
      let store = try RedisStorage<String>(client: client, namespace: "round \(round)")
      let record = Record(keys: Self.keys)
      let isDone = Shared(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(round) &* 31)
          while !isDone.value {
            // Some hundred operations between two faults, so that most of them succeed.
            let next = record.operations + Int.random(in: 200...Soak.rounds(1000, soak: 6000), using: &random)
            while !isDone.value, record.operations < next { try await Task.sleep(for: .milliseconds(2)) }
            try await Self.trouble(proxy, server, &random)
          }
          proxy.release(.toClient)
          proxy.releaseLines()
        }
        try await withThrowingTaskGroup(of: Void.self) { workers in
          for task in 0..<Self.tasks {
            let random = SeededGenerator(seed: seed &+ UInt64(round * 1000 + task + 1) &* 1_000_003)
            workers.addTask {
              try await Self.work(store, record, Soak.rounds(3000, soak: 10_080) / Self.tasks, random)
            }
          }
          try await workers.waitForAll()
        }
        isDone.change { $0 = true }
        try await group.waitForAll()
      }
      for (name, count) in record.counts { totals[name, default: 0] += count }
      let flaws = record.flaws()
      #expect(flaws.isEmpty, "STRATA_SEED=\(Soak.seed), rig \(rig), round \(round)")
      if !flaws.isEmpty { break }
      if Soak.isOn, round % 10 == 9 {
        print(
          "rig \(rig), round \(round): \(totals.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
      }
    }
    #expect(totals["acknowledged", default: 0] > 0)
  }

  // MARK: Faults

  private static func trouble(_ proxy: Proxy, _ server: RedisServer, _ random: inout SeededGenerator)
    async throws
  {
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<10: proxy.cutAll()
    case 10..<20:
      // Bytes in flight arrive after their connection has been closed on the side of the client.
      proxy.holdLines()
      try await pause(&random, 5)
      proxy.hangUp()
      try await pause(&random, 60)
      proxy.releaseLines()
    case 20..<24:
      proxy.holdLines()
      try await pause(&random, 30)
      proxy.holdLines(onlyLast: true)
      try await pause(&random, 30)
      proxy.releaseLines()
    case 24..<28:
      proxy.hold(.toClient)
      try await pause(&random, 20)
      if Bool.random(using: &random) { proxy.cutAll() }
      proxy.release(.toClient)
    case 28..<31: proxy.cut(after: .random(in: 1..<20_000, using: &random), .toServer)
    case 31..<34: proxy.cut(after: .random(in: 1..<20_000, using: &random), .toClient)
    case 34..<38:
      proxy.delay(.milliseconds(1), .toServer)
      try await pause(&random, 20)
      proxy.delay(.zero, .toServer)
    default:
      server.kill()
      try await server.restart()
    }
  }

  private static func pause(_ random: inout SeededGenerator, _ milliseconds: Int) async throws {
    try await Task.sleep(for: .milliseconds(Int.random(in: 1...milliseconds, using: &random)))
  }

  // MARK: Operations

  private static func work(
    _ store: RedisStorage<String>, _ record: Record, _ count: Int, _ seeded: SeededGenerator
  ) async throws {
    var random = seeded
    for _ in 0..<count {
      let key = Int.random(in: 0..<keys, using: &random)
      let other = (key + Int.random(in: 1..<keys, using: &random)) % keys
      let kind = Int.random(in: 0..<30, using: &random)
      guard Int.random(in: 0..<8, using: &random) == 0 else {
        try await step(store, record, kind, key, other)
        continue
      }
      let task = Task { try await step(store, record, kind, key, other) }
      for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
      task.cancel()
      try await task.value
    }
  }

  private static func step(
    _ store: RedisStorage<String>, _ record: Record, _ kind: Int, _ key: Int, _ other: Int
  ) async throws {
    switch kind {
    case 0..<8:
      try await record.reading([key]) {
        [key: number(try await store.entryIfPresent(forKey: "\(key)")?.object)]
      }
    case 8:
      try await record.reading([key, other]) {
        let found = try await store.entries(forKeys: ["\(key)", "\(other)"])
        return [key: number(found["\(key)"]?.object), other: number(found["\(other)"]?.object)]
      }
    case 9..<14:
      try await record.writing([key]) { values in
        try await store.setObject(text("\(values[0])"), forKey: "\(key)")
        return [.write(values[0])]
      } failed: {
        [.write($0[0])]
      }
    case 14..<16:
      try await record.writing([key, other]) { values in
        try await store.setObjects(
          ["\(key)": text("\(values[0])"), "\(other)": text("\(values[1])")], expiry: nil)
        return values.map { .write($0) }
      } failed: {
        $0.map { .write($0) }
      }
    case 16..<19:
      try await record.writing([key]) { _ in
        try await store.removeObject(forKey: "\(key)")
        return [.remove]
      } failed: { _ in
        [.remove]
      }
    case 19:
      try await record.writing([key, other]) { _ in
        try await store.removeObjects(forKeys: ["\(key)", "\(other)"])
        return [.remove, .remove]
      } failed: { _ in
        [.remove, .remove]
      }
    case 20..<23:
      try await record.writing([key]) { values in
        let isStored = try await store.setIfAbsent(text("\(values[0])"), forKey: "\(key)", expiry: nil)
        return [.writeIfAbsent(values[0], isStored: isStored)]
      } failed: {
        [.writeIfAbsent($0[0], isStored: nil)]
      }
    case 23..<26:
      try await record.writing([key]) { _ in
        [.add(1, sum: try await store.increment(forKey: "\(key)", by: 1))]
      } failed: { _ in
        [.add(1, sum: nil)]
      }
    default:
      try await record.writing([key]) { _ in
        do {
          let changed = try await store.update(forKey: "\(key)") { $0 = text("\(number($0) + 1)") }
          return [.change(1, result: number(changed))]
        } catch StorageError.notFound { return [.change(1, result: 0)] }
      } failed: { _ in
        [.change(1, result: nil)]
      }
    }
  }

  private static func number(_ data: Data?) -> Int {
    data.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  }
}

extension RedisLinearizabilitySoakTests {
  /// The histories of all keys, with one clock.
  private final class Record: Sendable {
    private struct State {
      var clock = 0
      var lastValue = 0
      var histories: [RegisterHistory]
      var counts: [String: Int] = [:]
      var operations = 0
    }

    private let state: Locked<State>

    init(keys: Int) { state = Locked(State(histories: Array(repeating: RegisterHistory(), count: keys))) }

    var counts: [String: Int] { state.withLock { $0.counts } }

    var operations: Int { state.withLock { $0.operations } }

    func flaws() -> [String] {
      state.withLock(\.histories).enumerated().compactMap { key, history in
        history.flaw().map { "key \(key): \($0)" }
      }
    }

    private func begin(values: Int = 0) -> (start: Int, values: [Int]) {
      state.withLock { state in
        state.clock += 1
        defer { state.lastValue += values }
        // Multiples of a million, so that values and sums of increments are distinct.
        return (state.clock, (0..<values).map { (state.lastValue + $0 + 1) * 1_000_000 })
      }
    }

    func reading(_ keys: [Int], _ body: () async throws -> [Int: Int]) async throws {
      let start = begin().start
      let found: [Int: Int]?
      do { found = try await body() } catch {
        _ = try fate(of: error)
        found = nil
      }
      state.withLock { state in
        state.clock += 1
        state.operations += 1
        state.counts[found == nil ? "reads failed" : "reads", default: 0] += 1
        for (key, value) in found ?? [:] { state.histories[key].read(value, from: start, to: state.clock) }
      }
    }

    /// Records a write. `body` returns the action on each key, with its result; `failed` the actions of unknown result.
    func writing(
      _ keys: [Int], _ body: (_ values: [Int]) async throws -> [RegisterHistory.Action],
      failed: (_ values: [Int]) -> [RegisterHistory.Action]
    ) async throws {
      let (start, values) = begin(values: keys.count)
      var fate = RegisterHistory.Fate.acknowledged
      let actions: [RegisterHistory.Action]
      do { actions = try await body(values) } catch {
        fate = try self.fate(of: error)
        actions = failed(values)
      }
      state.withLock { state in
        state.clock += 1
        state.operations += 1
        state.counts["\(fate)", default: 0] += 1
        for (key, action) in zip(keys, actions) {
          state.histories[key].add(action, from: start, to: state.clock, fate)
        }
      }
    }

    /// Returns the fate of a write that failed. Throws errors that no call may fail with.
    private func fate(of error: any Error) throws -> RegisterHistory.Fate {
      if error is CancellationError { return .unknown }
      guard let error = error as? StorageError, error == .backendFailed else { throw error }
      if case .unreachable? = error.cause as? RedisConnectionError { return .unsent }
      return .unknown
    }
  }
}
