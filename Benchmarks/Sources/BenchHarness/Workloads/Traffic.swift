/// Tasks that use a server; each sends its next request as soon as it has the reply to its last.
public enum Traffic {
  /// The measurements of one round.
  public struct Round: Sendable {
    /// The operations per second of all tasks.
    public let rate: Double
    /// The microseconds of each operation.
    public let latencies: [Double]
  }

  /// Runs tasks that share the operations, and returns what was measured.
  ///
  /// - Parameters:
  ///   - keys: The number of keys, from which each operation draws one.
  ///   - executor: The executor of the tasks; `nil` for Swift's pool.
  public static func run(
    tasks: Int, operations: Int, keys: Int, on executor: (any TaskExecutor)?,
    _ operation: @escaping @Sendable (_ draw: Int) async throws -> Void
  ) async throws -> Round {
    let share = operations / tasks
    let watch = Stopwatch()
    let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
      for task in 0..<tasks {
        let draws = KeySequence.uniform(share, of: keys, seed: UInt64(task) + 1)
        group.addTask(executorPreference: executor) {
          var latencies: [Double] = []
          latencies.reserveCapacity(draws.count)
          for draw in draws {
            let watch = Stopwatch()
            try await operation(draw)
            latencies.append(Double(watch.nanoseconds) / 1000)
          }
          return latencies
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return Round(rate: Double(share * tasks) / Double(watch.nanoseconds) * 1e9, latencies: latencies)
  }
}
