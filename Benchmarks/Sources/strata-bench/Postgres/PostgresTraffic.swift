import BenchHarness
import Foundation
import Strata
import StrataPostgres

/// The operations of tasks that use a store.
struct PostgresTraffic: Sendable {
  enum Operation: String, CaseIterable {
    case get, put

    /// The same operation as a script of `pgbench`.
    var script: String {
      let key = "convert_to('key:' || :number, 'UTF8')"
      let draw = "\\set number random(0, 9999)\n"
      switch self {
      case .get: return draw + "SELECT value, expires, xmin FROM bench WHERE key = \(key);\n"
      case .put:
        return draw + "INSERT INTO bench (key, name, value, expires) VALUES (\(key), NULL, "
          + "'\\x\(String(repeating: "07", count: 100))', NULL) "
          + "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires;\n"
      }
    }
  }

  let store: PostgresStorage<String>
  private let keys = (0..<10_000).map { "key:\($0)" }
  private let value = Data(repeating: 7, count: 100)

  init(store: PostgresStorage<String>) { self.store = store }

  /// Stores a value under every key.
  func fill() async throws {
    try await store.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: nil)
  }

  /// Returns the number of entries that batches store per second.
  func batches(of size: Int, count: Int) async throws -> Double {
    let watch = Stopwatch()
    for number in 0..<count {
      let part = keys[(number % 10) * size..<(number % 10 + 1) * size]
      try await store.setObjects(Dictionary(uniqueKeysWithValues: part.map { ($0, value) }), expiry: nil)
    }
    return Double(size * count) / Double(watch.nanoseconds) * 1e9
  }

  /// - Parameter executor: The executor of the tasks; `nil` for Swift's pool.
  func run(_ operation: Operation, tasks: Int, operations: Int, on executor: (any TaskExecutor)?)
    async throws -> Traffic.Round
  {
    try await Traffic.run(tasks: tasks, operations: operations, keys: keys.count, on: executor) { draw in
      switch operation {
      case .put: try await store.setObject(value, forKey: keys[draw], expiry: nil)
      case .get:
        guard try await store.entryIfPresent(forKey: keys[draw])?.object == value else {
          throw Failure("\(keys[draw]) has another value than was stored")
        }
      }
    }
  }
}
