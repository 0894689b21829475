import BenchHarness
import Foundation
import Strata
import StrataRedis

/// An operation on a server.
enum RedisOperation: String, CaseIterable {
  case set, get
  /// A read of a value with its expiry, as by memory in front of the server.
  case entry

  /// The operation of `redis-benchmark` to compare with.
  var peer: String { self == .set ? "set" : "get" }
}

/// The operations of tasks that use a store.
struct RedisTraffic: Sendable {
  let store: RedisStorage<String>
  private let keys = (0..<10_000).map { "key:\($0)" }
  private let value = Data((0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  init(store: RedisStorage<String>) { self.store = store }

  /// Stores a value under every key.
  func fill() async throws {
    try await store.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: nil)
  }

  /// - Parameter executor: The executor of the tasks; `nil` for Swift's pool.
  func run(_ operation: RedisOperation, tasks: Int, operations: Int, on executor: (any TaskExecutor)?)
    async throws -> Traffic.Round
  {
    try await Traffic.run(tasks: tasks, operations: operations, keys: keys.count, on: executor) { draw in
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
    }
  }
}

/// The benchmark program that comes with the server.
struct RedisBenchmark {
  let address: RedisAddress

  /// Returns the operations per second of `redis-benchmark` on one connection.
  func run(
    _ operation: RedisOperation, depth: Int, operations: Int, size: Int = 100, keys: Int = 10_000
  ) throws -> Double {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "redis-benchmark", "-h", address.host ?? "", "-p", "\(address.port ?? 0)", "-c", "1", "-P", "\(depth)",
      "-n", "\(operations)", "-d", "\(size)", "-r", "\(keys)", "-t", operation.peer, "--csv",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // The line after the titles reads: "SET","123456.78",…
    let cells = text.split(separator: "\n").last?.split(separator: ",") ?? []
    guard process.terminationStatus == 0, cells.count > 1,
      let rate = Double(cells[1].trimmingCharacters(in: ["\""]))
    else { throw Failure("redis-benchmark cannot be run, or printed no result: \(text)") }
    return rate
  }
}
