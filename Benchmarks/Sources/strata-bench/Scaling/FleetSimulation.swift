import BenchHarness
import Foundation

/// Simulates a second of a fleet in a steady state, key by key.
///
/// Requests are random and independent. For a key, only the number of machines that have read it since its last write
/// matters. Each of them gets an invalidation at the next write, and reads the key again at its next request. A machine
/// with the key in memory sends no request. It is therefore enough to draw, for each interval between two writes, how
/// many machines read the key. The result is exact, although no single machine is simulated.
struct FleetSimulation {
  let fleet: Fleet
  var seconds = 1.0
  var random: SplitMix64

  init(_ fleet: Fleet, seconds: Double = 1, seed: UInt64 = 7) {
    self.fleet = fleet
    self.seconds = seconds
    random = SplitMix64(seed: seed)
  }

  /// Runs the simulation and returns the average second.
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

  /// Simulates one key, which each machine reads, and all machines together write, at the given rates per second.
  private mutating func play(reads: Double, writes: Double, isKept: Bool, _ second: inout FleetSecond) {
    // By symmetry, the time since the last write has the distribution of the time to the next.
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

  /// Returns a random time to the next event of a Poisson process with this rate.
  private mutating func wait(_ rate: Double) -> Double {
    rate > 0 ? -log(1 - random.unit()) / rate : .infinity
  }

  /// Returns a random number with a binomial distribution.
  mutating func binomial(_ count: Int, _ probability: Double) -> Int {
    if probability > 0.5 { return count - binomial(count, 1 - probability) }
    guard count > 0, probability > 0 else { return 0 }
    let mean = Double(count) * probability
    if mean > 30 {
      // Approximated by a normal distribution: the sum of twelve uniform numbers.
      let bell = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
      return min(max(Int((mean + bell * (mean * (1 - probability)).squareRoot()).rounded()), 0), count)
    }
    // Draws how many trials fail before the next success.
    var (found, place) = (0, 0.0)
    while true {
      place += (log(1 - random.unit()) / log1p(-probability)).rounded(.down) + 1
      if place > Double(count) { return found }
      found += 1
    }
  }
}

/// The load on the server after the memory of all machines was emptied at one moment.
struct Refill {
  let fleet: Fleet

  /// Returns the misses per second, the given number of seconds after that moment.
  func misses(after seconds: Double) -> Double {
    fleet.popularity.enumerated().reduce(0) { sum, key in
      let reads = key.element * fleet.reads * Double(fleet.machines) / Double(fleet.users)
      let writes = key.element * fleet.writes
      if key.offset >= fleet.keptKeys { return sum + reads }
      // Only a first read brings a key back, and each write removes it.
      let share = (writes + reads * exp(-(reads + writes) * seconds)) / (reads + writes)
      return sum + reads * share
    } * Double(fleet.users)
  }
}
