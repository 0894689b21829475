import BenchHarness
import Foundation

/// Plays a second of a fleet, key by key, from a moment when all has been going on for long.
///
/// Requests come at random, independent of each other. Of a key only this matters: how many machines have read it since
/// it was written last. Each of them is told of the next write, and reads it anew when it wants it again; a machine
/// that has it in memory does not ask. So it is enough to draw, for each time between two writes, how many of the
/// others read the key: no machine is followed by itself, and yet nothing is left out.
struct FleetSimulation {
  let fleet: Fleet
  var seconds = 1.0
  var random: SplitMix64

  init(_ fleet: Fleet, seconds: Double = 1, seed: UInt64 = 7) {
    self.fleet = fleet
    self.seconds = seconds
    random = SplitMix64(seed: seed)
  }

  /// A second of it, on average.
  mutating func run() -> FleetSecond {
    var second = FleetSecond(fleet: fleet)
    for (rank, share) in fleet.popularity.enumerated() {
      play(
        reads: share * fleet.reads * Double(fleet.machines) / Double(fleet.users),
        writes: share * fleet.writes,
        isKept: rank < fleet.keptKeys, &second)
    }
    second.misses /= seconds
    second.messages /= seconds
    return second
  }

  /// Plays one key, which a machine reads and all together write so often a second.
  private mutating func play(reads: Double, writes: Double, isKept: Bool, _ second: inout FleetSecond) {
    // The last write was as long ago as the next one is to come.
    var readers = binomial(fleet.users, 1 - exp(-reads * wait(writes)))
    second.readers += Double(readers)
    if readers > 0 { second.notedKeys += 1 }
    var time = 0.0
    while true {
      let pause = wait(writes)
      let isLast = time + pause >= seconds
      let span = isLast ? seconds - time : pause
      let new = binomial(fleet.users - readers, 1 - exp(-reads * span))
      readers += new
      second.misses += isKept ? Double(new) : Double(fleet.users) * reads * span
      if isLast { return }
      second.messages += Double(readers)
      second.largestBurst = max(second.largestBurst, readers)
      readers = 0
      time += pause
    }
  }

  /// How long it is until something happens that happens so often a second.
  private mutating func wait(_ rate: Double) -> Double {
    rate > 0 ? -log(1 - random.unit()) / rate : .infinity
  }

  /// How many of so many do what each does with a probability.
  mutating func binomial(_ count: Int, _ probability: Double) -> Int {
    if probability > 0.5 { return count - binomial(count, 1 - probability) }
    guard count > 0, probability > 0 else { return 0 }
    let mean = Double(count) * probability
    if mean > 30 {
      // Near enough to the law of large numbers; the sum of twelve is a bell.
      let bell = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
      return min(max(Int((mean + bell * (mean * (1 - probability)).squareRoot()).rounded()), 0), count)
    }
    // How many are passed over before the next one who does.
    var (found, place) = (0, 0.0)
    while true {
      place += (log(1 - random.unit()) / log1p(-probability)).rounded(.down) + 1
      if place > Double(count) { return found }
      found += 1
    }
  }
}

/// What reaches the server when all memory was emptied at one moment.
struct Refill {
  let fleet: Fleet

  /// Reads a second that memory does not answer, so many seconds after.
  func misses(after seconds: Double) -> Double {
    fleet.popularity.enumerated().reduce(0) { sum, key in
      let reads = key.element * fleet.reads * Double(fleet.machines) / Double(fleet.users)
      let writes = key.element * fleet.writes
      if key.offset >= fleet.keptKeys { return sum + reads }
      // Nothing but a first read brings it back, and each write takes it away.
      let share = (writes + reads * exp(-(reads + writes) * seconds)) / (reads + writes)
      return sum + reads * share
    } * Double(fleet.users)
  }
}
