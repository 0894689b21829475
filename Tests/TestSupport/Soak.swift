import Foundation

/// The length of tests with random rounds: short in `make test`, long in `make soak`.
package enum Soak {
  /// Whether this is a run of `make soak`.
  package static let isOn = ProcessInfo.processInfo.environment["STRATA_SOAK"] != nil

  /// The number of rounds: the first in `make test`, the second in `make soak`.
  package static func rounds(_ few: Int, soak many: Int) -> Int { isOn ? many : few }

  /// The seed of all random choices. `STRATA_SEED=<seed>` repeats a run. Processes that tests start have the same one:
  /// a second process of a test looks for its arguments among those that the seed has chosen.
  package static let seed: UInt64 = {
    if let given = ProcessInfo.processInfo.environment["STRATA_SEED"].flatMap(UInt64.init) { return given }
    let seed = UInt64.random(in: .min ... .max)
    setenv("STRATA_SEED", "\(seed)", 1)
    return seed
  }()
}
