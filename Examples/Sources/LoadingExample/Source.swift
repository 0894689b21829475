import Strata
import Synchronization

/// The state of the source of values.
enum Weather: String {
  case healthy, down, slow, flapping

  /// Returns how long a load takes at a second of this weather, and whether it fails.
  func load(at second: Int) -> (time: Duration, fails: Bool) {
    switch self {
    case .healthy: (.milliseconds(20), false)
    case .down: (.seconds(1), true)
    case .slow: (.seconds(3), false)
    // The source fails and recovers every five seconds.
    case .flapping: second / 5 % 2 == 0 ? (.seconds(1), true) : (.milliseconds(20), false)
    }
  }
}

/// The states of the source during the drill, in order.
let forecast: [(weather: Weather, seconds: Int)] = [
  (.healthy, 30), (.down, 60), (.healthy, 30), (.slow, 60), (.healthy, 30), (.flapping, 60), (.healthy, 30),
]

/// The source of the values, for example a database, on the clock of the drill.
final class Source: Sendable {
  struct Down: Error {}

  private let time: ManualClock
  private let calls = Mutex((made: 0, sleeping: 0))

  init(_ time: ManualClock) { self.time = time }

  /// The number of loads that were requested.
  var loads: Int { calls.withLock { $0.made } }
  /// The number of loads that have not been answered.
  var sleeping: Int { calls.withLock { $0.sleeping } }

  static func weather(at second: Int) -> (weather: Weather, second: Int) {
    var rest = second
    for part in forecast {
      if rest < part.seconds { return (part.weather, rest) }
      rest -= part.seconds
    }
    return (.healthy, rest)
  }

  func load(_ key: Int) async throws -> Int {
    let now = Source.weather(at: Int(time.now.sinceStart / .seconds(1)))
    let (duration, fails) = now.weather.load(at: now.second)
    calls.withLock {
      $0.made += 1
      $0.sleeping += 1
    }
    defer { calls.withLock { $0.sleeping -= 1 } }
    try await time.sleep(for: duration)
    if fails { throw Down() }
    return key
  }
}
