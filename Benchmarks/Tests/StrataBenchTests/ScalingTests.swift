import BenchHarness
import Foundation
import Testing

@testable import strata_bench

struct ScalingTests {
  /// A fleet whose keys are equally popular, so that a formula gives the result.
  private func fleet(machines: Int, reads: Double, writeShare: Double, memory: Int = 10_000) -> Fleet {
    Fleet(machines: machines, reads: reads, writeShare: writeShare, keys: 10_000, exponent: 0, memory: memory)
  }

  @Test(arguments: [(1, 5_000.0, 0.1), (50, 2_000, 0.02), (1_000, 500, 0.001), (1_000, 50_000, 0.001)])
  func `equally popular keys are missed as often as the formula says`(
    _ machines: Int, _ reads: Double, _ share: Double
  ) {
    let fleet = fleet(machines: machines, reads: reads, writeShare: share)
    var simulation = FleetSimulation(fleet, seconds: 4)
    let second = simulation.run()
    let (read, write) = (reads / 10_000, fleet.writes / 10_000)
    // A machine holds a key if it has read it since the last write.
    let held = read / (read + write)
    #expect(abs(second.hitRatio - held) < 0.02)
    #expect(abs(second.messages / (fleet.writes * Double(machines) * held) - 1) < 0.05)
    #expect(abs(second.readers / (10_000 * Double(machines) * held) - 1) < 0.05)
    #expect(second.largestBurst <= machines)
    #expect(second.messages <= second.broadcasts * 1.05)
  }

  @Test func `only machines that request a key receive its invalidations`() {
    var fleet = fleet(machines: 100, reads: 2_000, writeShare: 0.01)
    fleet.spread = 4
    var simulation = FleetSimulation(fleet)
    let second = simulation.run()
    #expect(second.largestBurst == 4)
    let (read, write) = (2_000.0 * 25 / 10_000, fleet.writes / 10_000)
    #expect(abs(second.hitRatio - read / (read + write)) < 0.02)
  }

  @Test func `keys that memory does not keep are read from the server, and still invalidated`() {
    let fleet = fleet(machines: 100, reads: 1_000, writeShare: 0.01, memory: 0)
    var simulation = FleetSimulation(fleet)
    let second = simulation.run()
    #expect(abs(second.hitRatio) < 0.001)
    #expect(second.messages > 0)
  }

  @Test func `emptied memory misses every read, and later as many as in the steady state`() {
    let fleet = fleet(machines: 100, reads: 10_000, writeShare: 0.001)
    let refill = Refill(fleet: fleet)
    #expect(abs(refill.misses(after: 0) / 1e6 - 1) < 1e-6)
    var simulation = FleetSimulation(fleet, seconds: 20)
    #expect(abs(refill.misses(after: 1_000) / simulation.run().misses - 1) < 0.05)
  }

  @Test(arguments: [(10, 0.01), (10, 0.7), (500, 0.001), (500, 0.2), (500, 0.999)])
  func `draws have the expected mean and spread`(_ count: Int, _ probability: Double) {
    var simulation = FleetSimulation(Fleet(machines: 1))
    let draws = (0..<20_000).map { _ in Double(simulation.binomial(count, probability)) }
    let mean = draws.reduce(0, +) / 20_000
    let spread = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    let (truth, variance) = (Double(count) * probability, Double(count) * probability * (1 - probability))
    #expect(abs(mean - truth) < 4 * (variance / 20_000).squareRoot() + 0.01)
    #expect(abs(spread / variance - 1) < 0.15)
  }
}
