/// The same work done by several contenders in turn, round by round.
///
/// In each round every contender has one run with every number of threads, so that whatever else the machine does hits
/// all alike. The first rounds only warm up; each later round begins with another contender.
public struct Comparison: Sendable {
  /// How many operations one thread does in one run.
  public var operations: Int
  /// The numbers of threads to run with.
  public var threads: [Int]
  /// How many rounds count.
  public var rounds: Int
  /// How many rounds come before them.
  public var warmUps: Int

  /// Which time is measured.
  public var time: Time

  /// A kind of time.
  public enum Time: Sendable {
    /// That of a clock on the wall.
    case elapsed
    /// That which the processors spent on this process, all of its threads together: other programs hardly change it.
    case processor
  }

  /// How many runs each contender has, the numbers of which begin at 0: as many as there may be pieces of work, if none
  /// is to be done twice.
  public var runs: Int { (warmUps + rounds) * threads.count }

  /// Describes a comparison.
  public init(
    operations: Int, threads: [Int] = [1], rounds: Int = 7, warmUps: Int = 1, time: Time = .elapsed
  ) {
    self.time = time
    self.operations = operations
    self.threads = threads
    self.rounds = rounds
    self.warmUps = warmUps
  }

  /// Runs all contenders; throws what any of them throws.
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
