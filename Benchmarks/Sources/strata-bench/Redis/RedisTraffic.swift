import BenchHarness
import Foundation
import Strata
import StrataRedis

/// An operation on a server.
enum RedisOperation: String, CaseIterable {
  case set, get
  /// A read of a value with its expiry, as memory in front of the server makes it.
  case entry

  /// The operation of `redis-benchmark` to compare with.
  var peer: String { self == .set ? "set" : "get" }
}

/// Tasks that use a store; each sends its next request as soon as it has the reply to its last.
struct RedisTraffic: Sendable {
  /// The measurements of one round.
  struct Round: Sendable {
    /// The operations per second of all tasks.
    let rate: Double
    /// The microseconds of each operation.
    let latencies: [Double]
  }

  let store: RedisStorage<String>
  private let keys = (0..<10_000).map { "key:\($0)" }
  private let value = Data((0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  init(store: RedisStorage<String>) { self.store = store }

  /// Stores a value under every key.
  func fill() async throws {
    try await store.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: nil)
  }

  /// - Parameter executor: Where the tasks run; `nil` for Swift's pool.
  func run(_ operation: RedisOperation, tasks: Int, operations: Int, on executor: (any TaskExecutor)?)
    async throws -> Round
  {
    let share = operations / tasks
    let watch = Stopwatch()
    let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
      for task in 0..<tasks {
        let draws = KeySequence.uniform(share, of: keys.count, seed: UInt64(task) + 1)
        group.addTask(executorPreference: executor) { try await self.run(operation, draws) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return Round(rate: Double(share * tasks) / Double(watch.nanoseconds) * 1e9, latencies: latencies)
  }

  private func run(_ operation: RedisOperation, _ draws: [Int]) async throws -> [Double] {
    var latencies: [Double] = []
    latencies.reserveCapacity(draws.count)
    for draw in draws {
      let watch = Stopwatch()
      switch operation {
      case .set: try await store.setObject(value, forKey: keys[draw], expiry: nil)
      case .get:
        guard try await store.object(forKey: keys[draw]) == value else {
          throw Failure("\(keys[draw]) is not as it was stored")
        }
      case .entry:
        guard let entry = try await store.entryIfPresent(forKey: keys[draw]), entry.object == value else {
          throw Failure("\(keys[draw]) is not as it was stored")
        }
      }
      latencies.append(Double(watch.nanoseconds) / 1000)
    }
    return latencies
  }
}

/// The benchmark program that comes with the server.
struct RedisBenchmark {
  let address: RedisAddress

  /// Returns its operations per second on one connection.
  func run(_ operation: RedisOperation, depth: Int, operations: Int) throws -> Double {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "redis-benchmark", "-h", address.host ?? "", "-p", "\(address.port ?? 0)", "-c", "1", "-P", "\(depth)",
      "-n", "\(operations)", "-d", "100", "-r", "10000", "-t", operation.peer, "--csv",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // "SET","123456.78",… after a line of titles.
    let cells = text.split(separator: "\n").last?.split(separator: ",") ?? []
    guard process.terminationStatus == 0, cells.count > 1,
      let rate = Double(cells[1].trimmingCharacters(in: ["\""]))
    else { throw Failure("redis-benchmark cannot be run, or says nothing: \(text)") }
    return rate
  }
}
