/// What a comparison found of one contender with one number of threads.
public struct Timing: Sendable {
  /// The contender's name.
  public let name: String
  /// How many threads did the work.
  public let threads: Int
  /// Nanoseconds for one operation in each round: the time of the run by the operations of all threads.
  public let rounds: [Double]

  /// Makes a timing of what was counted.
  public init(name: String, threads: Int, rounds: [Double]) {
    self.name = name
    self.threads = threads
    self.rounds = rounds
  }

  /// The median of all rounds.
  public var median: Double { rounds.median }
  /// The fastest round: the one that was disturbed least.
  public var best: Double { rounds.min() ?? .nan }

  /// How many times the time of another this took: the median of what each round says for itself, so that a slow
  /// moment of the machine, which hits both, does not count.
  public func ratio(to other: Timing) -> Double {
    zip(rounds, other.rounds).map { $0 / $1 }.median
  }
}

extension [Timing] {
  /// The timing of a contender.
  public func of(_ name: String, threads: Int = 1) -> Timing {
    guard let found = first(where: { $0.name == name && $0.threads == threads }) else {
      preconditionFailure("\(name) was not measured with \(threads) threads")
    }
    return found
  }
}
