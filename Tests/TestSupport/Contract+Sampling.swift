extension Contract {
  /// The promises whose checks start processes or write megabytes: most of the time of a contract.
  private static let costly: Set<Contract> = [
    .anyKey, .atomicBatches, .bothWorlds, .entries, .fullDisk, .hugeValue, .manyKeys, .ranges,
    .readOnlyFolder,
    .resources, .severalProcesses, .streams, .survivingKill, .tornStreams, .updating,
  ]

  /// The promises that `make test` checks on a store: all but the costly ones, of which the seed chooses one in four.
  /// In `make soak` all of them.
  ///
  /// Stores with different numbers get different costly promises: a run checks each of them on a quarter of the stores.
  package static func brief(number: Int = 0) -> [Contract] {
    let sampled = Set(Soak.sample(allCases.filter(costly.contains), oneIn: 4, number: number))
    return allCases.filter { !costly.contains($0) || sampled.contains($0) }
  }

  /// Every promise, each with a share of the cases: one in `share`, chosen by the seed, or in `make soak` all of them.
  ///
  /// For promises that have little to do with the cases, such as a combinator over one store.
  package static func sampled<Case>(with cases: [Case], oneIn share: Int) -> [(Case, Contract)] {
    let share = Soak.isOn ? 1 : share
    let first = Int(Soak.seed % UInt64(share))
    return allCases.enumerated().flatMap { row, promise in
      cases.enumerated().filter { ($0.offset + row + first) % share == 0 }.map { ($0.element, promise) }
    }
  }

  /// One promise in `share`, chosen by the seed, or in `make soak` all of them.
  ///
  /// For one more configuration of a store whose whole contract is tested in another one. Configurations with different
  /// numbers get different promises: `share` of them together are tested with every promise once.
  package static func sampled(oneIn share: Int, number: Int = 0) -> [Contract] {
    Soak.sample(allCases, oneIn: share, number: number)
  }
}
