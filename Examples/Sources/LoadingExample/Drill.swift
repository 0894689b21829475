import Strata
import Synchronization

/// The outcome of one request.
struct Outcome {
  enum Answer { case fresh, stale, failed }

  /// The time of the request, in seconds from the start.
  let second: Int
  let answer: Answer
  let latency: Duration
}

/// The results of a drill.
struct Report {
  let name: String
  var outcomes: [Outcome] = []
  /// The loads that were begun in each second.
  var loads: [Int] = []
}

/// Makes requests of a loading store during five minutes of failures, on a manual clock. The clock advances when no
/// request can continue, so the five minutes take a few seconds, and each run has the same results.
struct Drill {
  private static let requestsPerSecond = 20
  private static let keys = 50

  /// Runs the drill with a policy, which must have a hard timeout: the drill counts the timers to determine whether all
  /// callers are waiting.
  func run(_ name: String, _ policy: LoadPolicy) async -> Report {
    let time = ManualClock()
    let source = Source(time)
    let memory = MemoryStorage<Int, Cached<Int>>(config: MemoryConfig(clock: time.clock))
    let cache = memory.loading(policy, clock: time, value: { try await source.load($0) })
    let done = Shelf()
    var random = Dice()
    var report = Report(name: name)
    var made = 0
    for second in 0..<forecast.reduce(0, { $0 + $1.seconds }) {
      let loads = source.loads
      for _ in 0..<Self.requestsPerSecond {
        let key = random.key(of: Self.keys)
        made += 1
        Task {
          let start = time.now
          let answer: Outcome.Answer
          do {
            let entry = try await cache.entryIfPresent(forKey: key)
            answer = entry?.expiry.isExpired(by: time.clock) == true ? .stale : .fresh
          } catch { answer = .failed }
          done.add(Outcome(second: second, answer: answer, latency: start.duration(to: time.now)))
        }
        await settle(cache, time, source) { made - done.count }
        time.advance(by: .seconds(1) / Self.requestsPerSecond)
        await settle(cache, time, source) { made - done.count }
      }
      report.loads.append(source.loads - loads)
    }
    while done.count < made {
      time.advance(by: .seconds(1))
      await settle(cache, time, source) { made - done.count }
    }
    report.outcomes = done.all
    return report
  }

  /// Lets all tasks run until the remaining ones sleep on the clock: the source for each load, and a timer for each
  /// waiting request.
  private func settle(
    _ cache: LoadingStorage<Int, Int>, _ time: ManualClock, _ source: Source, waiting: () -> Int
  ) async {
    var calm = 0
    while calm < 3 {
      await Task.yield()
      let isCalm =
        cache.loadsInFlight == source.sleeping && time.sleeperCount == source.sleeping + waiting()
      calm = isCalm ? calm + 1 : 0
    }
  }
}

/// Collects outcomes from many tasks.
private final class Shelf: Sendable {
  private let outcomes = Mutex<[Outcome]>([])

  func add(_ outcome: Outcome) { outcomes.withLock { $0.append(outcome) } }
  var count: Int { outcomes.withLock { $0.count } }
  var all: [Outcome] { outcomes.withLock { $0 } }
}

/// Chooses keys, some more often than others, in the same order in each run.
private struct Dice {
  private var state: UInt64 = 42

  mutating func key(of count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let part = Double(state >> 11) * 0x1p-53
    return Int(part * part * Double(count))
  }
}
