import BenchHarness

/// Operations a second of threads, or tasks, that together use one store.
struct Throughput {
  static let counts = [1, 2, 4, 8, 16, 64]

  let isQuick: Bool

  /// The time of one run. In that of a lock that is handed over, threads do a thousandth of the work of others: the
  /// number of operations cannot be given instead.
  private var nanoseconds: UInt64 { isQuick ? 1_000_000 : 150_000_000 }
  private var rounds: Int { isQuick ? 1 : 3 }

  /// Returns the best of some runs for each number of threads.
  func threads(_ operation: @escaping @Sendable (_ thread: Int, _ number: Int) throws -> Void) throws
    -> [Double]
  {
    try best { count in
      let end = nanoseconds
      let result = try ThreadTeam.run(count) { thread in
        let watch = Stopwatch()
        var number = 0
        while watch.nanoseconds < end {
          for _ in 0..<8 {
            try operation(thread, number)
            number += 1
          }
        }
        return number
      }
      return Double(result.checksum) * 1e9 / Double(result.nanoseconds)
    }
  }

  /// Returns the best of some runs for each number of tasks.
  func tasks(
    _ operation: @escaping @Sendable (_ task: Int, _ number: Int) async throws -> Void
  ) throws -> [Double] {
    try best { count in
      let end = nanoseconds
      return try waiting {
        let watch = Stopwatch()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
          for task in 0..<count {
            group.addTask {
              var number = 0
              while watch.nanoseconds < end {
                try await operation(task, number)
                number += 1
              }
              return number
            }
          }
          return try await group.reduce(0, +)
        }
        return Double(sum) * 1e9 / Double(watch.nanoseconds)
      }
    }
  }

  private func best(_ run: (_ count: Int) throws -> Double) throws -> [Double] {
    var best = Self.counts.map { _ in 0.0 }
    // In turns, so that a busy moment of the machine does not meet all runs of one number of threads.
    for _ in 0..<rounds {
      for (place, count) in Self.counts.enumerated() { best[place] = max(best[place], try run(count)) }
    }
    return best
  }
}

/// The keys that the threads of a run use.
enum ThreadKeys: String, CaseIterable {
  case different, ten, one

  /// The keys before a run, which all exist.
  static let all = [String](numbers: 0..<64_000)

  func key(_ thread: Int, _ number: Int) -> String {
    switch self {
    case .different: Self.all[(thread &* 1_000 &+ number &* 7 % 1_000) % 64_000]
    case .ten: Self.all[number % 10]
    case .one: Self.all[0]
    }
  }
}
