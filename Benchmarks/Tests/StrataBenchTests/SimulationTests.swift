import BenchHarness
import BenchTraces
import CacheSimulation
import Testing

@testable import strata_bench

struct SimulationTests {
  static func zipf(_ count: Int, of keys: Int, hasCosts: Bool = false) -> Trace {
    var trace = Trace(name: "zipf", hasCosts: hasCosts)
    var numbers: [Int: Int32] = [:]
    for key in KeySequence.zipf(count, of: keys, exponent: 0.9, seed: 3) {
      let number = numbers[key, default: Int32(numbers.count)]
      numbers[key] = number
      trace.add(number, cost: key % 9 + 1)
    }
    return trace
  }

  @Test(arguments: [false, true])
  func `a cache without evictions hits on all requests but the first of each key`(
    _ hasCosts: Bool
  ) throws {
    let trace = Self.zipf(5_000, of: 500, hasCosts: hasCosts)
    #expect(try trace.replay(capacity: trace.totalCost) == trace.bestHitRatio)
    #expect(try trace.replay(capacity: trace.totalCost / 4) < trace.bestHitRatio)
  }

  @Test func `no cache exceeds the optimum`() throws {
    let trace = Self.zipf(20_000, of: 2_000)
    let optimum = Optimum(trace)
    for capacity in [20, 200, 1_000] {
      #expect(try trace.replay(capacity: capacity) <= optimum.hitRatio(capacity: capacity))
    }
  }

  @Test func `samples have the hit ratios of the whole trace`() throws {
    let trace = Self.zipf(60_000, of: 16_000)
    let capacities = [1_000, 3_000, 8_000]
    let exact = try Sampling(factor: 1).simulate(trace, capacities: capacities)
    let sampled = try Sampling(factor: 4).simulate(trace, capacities: capacities)
    for (whole, part) in zip(exact, sampled) {
      #expect(abs(whole.hitRatio - part.hitRatio) < 0.03)
      #expect(abs(whole.lru - part.lru) < 0.03)
      #expect(whole.error == nil)
      #expect((0.0001..<0.03).contains(try #require(part.error)))
    }
  }

  @Test func `small traces are simulated whole, large ones only on request`() {
    let small = Self.zipf(1_000, of: 100)
    #expect(Sampling(of: small, isExact: false).factor == 1)
    var large = Trace(name: "large")
    for index in 0..<2_600_000 { large.add(Int32(index % 40_000)) }
    #expect(Sampling(of: large, isExact: false).factor == 5)
    #expect(Sampling(of: large, isExact: true).factor == 1)
  }

  @Test func `the report recommends sizes`() throws {
    let trace = Self.zipf(3_000, of: 500)
    let sampling = Sampling(factor: 1)
    let found = try sampling.simulate(
      trace, capacities: Capacities.spread(20, from: 1, to: trace.uniqueCount))
    let text = SimulationReport(trace: trace, sampling: sampling, found: found).report.markdown()
    #expect(text.contains("% of all) buy 50 % of the best"))
    #expect(text.contains("% of all) buy 95 % of the best"))
    #expect(text.contains("the knee is at"))
    #expect(text.contains("Every request was given to `MemoryStorage` itself."))
  }

  @Test func `the report for a trace without repeated keys recommends nothing`() throws {
    var trace = Trace(name: "scan")
    for index in 0..<100 { trace.add(Int32(index)) }
    let sampling = Sampling(factor: 1)
    let found = try sampling.simulate(trace, capacities: [10, 100])
    let text = SimulationReport(trace: trace, sampling: sampling, found: found).report.markdown()
    #expect(text.contains("the trace requests no key twice"))
  }
}
