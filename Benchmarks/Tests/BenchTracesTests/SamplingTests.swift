import BenchTraces
import Testing

struct SamplingTests {
  @Test func `every key is in exactly one sample`() {
    let trace = Trace.random(50_000, of: 5_000, seed: 1)
    let samples = (0..<4).map { trace.sample($0, of: 4) }
    #expect(samples.map(\.requests.count).reduce(0, +) == trace.requests.count)
    #expect(samples.map(\.uniqueCount).reduce(0, +) == trace.uniqueCount)
    for sample in samples {
      #expect(abs(Double(sample.uniqueCount) / Double(trace.uniqueCount) - 0.25) < 0.05)
    }
  }

  @Test func `a sample keeps the order and costs of its requests`() {
    let trace = Trace([5, 6, 7, 5, 8, 7], costs: { $0 })
    for index in 0..<2 {
      let sample = trace.sample(index, of: 2)
      let kept = zip(trace.requests, trace.costs ?? []).filter { pair in
        (sample.costs ?? []).contains(pair.1)
      }
      #expect(sample.costs == kept.map(\.1))
      #expect(sample == Trace(kept.map { Int($0.0) }, costs: { [5, 6, 7, 8][$0] }))
    }
  }

  @Test func `a proportionally smaller cache has the same hit ratio on a sample`() {
    let trace = Trace.random(200_000, of: 40_000, seed: 2)
    let whole = StackDistances(trace)
    let samples = (0..<4).map { StackDistances(trace.sample($0, of: 4)) }
    for capacity in [1_000, 5_000, 20_000] {
      let mean = samples.map { $0.hitRatio(capacity: capacity / 4) }.reduce(0, +) / 4
      #expect(abs(mean - whole.hitRatio(capacity: capacity)) < 0.02)
    }
  }
}
