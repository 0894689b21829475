/// A comparison of several contenders that do the same work in turns, round by round.
///
/// In each round every contender has one run with every number of threads, so that other load on the machine affects
/// all of them alike. The first rounds only warm up; each later round begins with another contender.
public struct Comparison: Sendable {
  /// The number of operations of one thread in one run.
  public var operations: Int
  /// The numbers of threads to run with.
  public var threads: [Int]
  /// The number of measured rounds.
  public var rounds: Int
  /// The number of rounds before the measured ones, which only warm up.
  public var warmUps: Int

  /// The time that is measured.
  public var time: Time

  /// A kind of time.
  public enum Time: Sendable {
    /// Elapsed time, by a clock.
    case elapsed
    /// The processor time of all threads of this process, which other programs hardly affect.
    case processor
  }

  /// The number of runs of each contender. Prepare data for this many runs if no run may reuse another's.
  public var runs: Int { (warmUps + rounds) * threads.count }

  /// Creates a comparison.
  public init(
    operations: Int, threads: [Int] = [1], rounds: Int = 7, warmUps: Int = 1, time: Time = .elapsed
  ) {
    self.time = time
    self.operations = operations
    self.threads = threads
    self.rounds = rounds
    self.warmUps = warmUps
  }

  /// Runs all contenders. Rethrows their errors.
  public func run(_ contenders: [Contender]) throws -> [Timing] {
    let entries = contenders.flatMap { contender in threads.indices.map { (contender, $0) } }
    var times = Array(repeating: [Double](), count: entries.count)
    for round in 0..<(warmUps + rounds) {
      for step in entries.indices {
        let index = (step + round) % entries.count
        let (contender, place) = entries[index]
        let count = threads[place]
        let run = round * threads.count + place
        try contender.prepare()
        let before = Stopwatch.processorNanoseconds
        let result = try ThreadTeam.run(count) { try contender.work($0, run) }
        let spent = Stopwatch.processorNanoseconds - before
        Sink.absorb(result.checksum)
        guard round >= warmUps else { continue }
        let operations = (contender.operations ?? operations) * count
        times[index].append(Double(time == .elapsed ? result.nanoseconds : spent) / Double(operations))
      }
    }
    return zip(entries, times).map { Timing(name: $0.0.name, threads: threads[$0.1], rounds: $1) }
  }
}
