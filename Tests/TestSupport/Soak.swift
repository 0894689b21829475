import Foundation

/// The length of tests with random rounds: short in `make test`, long in `make soak`.
package enum Soak {
  /// Whether this is a run of `make soak`.
  package static let isOn = ProcessInfo.processInfo.environment["STRATA_SOAK"] != nil

  /// The number of rounds: the first in `make test`, the second in `make soak`.
  package static func rounds(_ few: Int, soak many: Int) -> Int { isOn ? many : few }

  /// One case in `share`, chosen by the seed, or in `make soak` all of them. Samples with the numbers from 0 to `share`
  /// have no case in common, and together all cases.
  package static func sample<Case>(_ cases: [Case], oneIn share: Int, number: Int = 0) -> [Case] {
    if isOn { return cases }
    let first = (Int(seed % UInt64(share)) + number) % share
    return cases.indices.filter { $0 % share == first }.map { cases[$0] }
  }

  /// The seed of all random choices. `STRATA_SEED=<seed>` repeats a run. Processes that tests start have the same one:
  /// a second process of a test looks for its arguments among those that the seed has chosen.
  package static let seed: UInt64 = {
    if let given = ProcessInfo.processInfo.environment["STRATA_SEED"].flatMap(UInt64.init) { return given }
    let seed = UInt64.random(in: .min ... .max)
    setenv("STRATA_SEED", "\(seed)", 1)
    // The tests of a sample are not random themselves, so their failures name no seed.
    print("STRATA_SEED=\(seed) repeats the choice of tests and the random rounds of this run.")
    return seed
  }()
}
