/// The times of one contender with one number of threads.
public struct Timing: Sendable {
  /// The contender's name.
  public let name: String
  /// The number of threads.
  public let threads: Int
  /// The nanoseconds per operation in each round: the time of the run divided by the operations of all threads.
  public let rounds: [Double]

  /// Creates a timing.
  public init(name: String, threads: Int, rounds: [Double]) {
    self.name = name
    self.threads = threads
    self.rounds = rounds
  }

  /// The median of all rounds.
  public var median: Double { rounds.median }
  /// The fastest round, which was disturbed least.
  public var best: Double { rounds.min() ?? .nan }

  /// Returns this time divided by another: the median of the ratios of all rounds. So a slow moment of the machine,
  /// which affects both times, has little influence.
  public func ratio(to other: Timing) -> Double {
    zip(rounds, other.rounds).map { $0 / $1 }.median
  }
}

extension [Timing] {
  /// Returns the timing of a contender.
  public func of(_ name: String, threads: Int = 1) -> Timing {
    guard let found = first(where: { $0.name == name && $0.threads == threads }) else {
      preconditionFailure("\(name) was not measured with \(threads) threads")
    }
    return found
  }
}
