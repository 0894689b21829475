import BenchHarness
import BenchTraces

/// Which part of a trace is simulated: all of it, or several samples of its keys in caches smaller by the same factor.
struct Sampling {
  /// One of so many keys is in a sample; 1 if all are.
  let factor: Int
  /// How many samples there are, which share no key.
  let sampleCount: Int

  /// The least number of different keys that say something about all.
  private static let fewestKeys = 4_000
  /// The number of requests to aim at in a sample.
  private static let requestsOfSample = 500_000

  /// Chooses: a trace of up to two million requests is simulated whole.
  init(of trace: Trace, isExact: Bool) {
    let byRequests = trace.requests.count / Self.requestsOfSample
    let byKeys = trace.uniqueCount / Self.fewestKeys
    let factor = min(byRequests, byKeys)
    self.init(factor: !isExact && factor > 4 ? factor : 1)
  }

  /// Four samples of one in so many keys, or everything.
  init(factor: Int) {
    self.factor = factor
    sampleCount = factor == 1 ? 1 : 4
  }

  /// Below this, a sample's cache would hold too few entries to behave like a large one.
  var smallestCapacity: Int { factor == 1 ? 1 : factor * 20 }

  /// What was found for one size.
  struct Found {
    let capacity: Int
    let hitRatio: Double
    /// How far the hit ratio may be off, judged by how much the samples differ; `nil` where all was simulated.
    let error: Double?
    let lru: Double
  }

  func simulate(_ trace: Trace, capacities: [Int]) throws -> [Found] {
    let samples = factor == 1 ? [trace] : (0..<sampleCount).map { trace.sample($0, of: factor) }
    let stacks = samples.map(StackDistances.init)
    return try capacities.map { capacity in
      Progress.say("simulate: \(Cell.count(capacity).shown)")
      let small = max(1, capacity / factor)
      let ratios = try samples.map { adjusted(try $0.hits(capacity: small), $0, trace) }
      let lru = zip(stacks, samples).map { stack, sample in
        adjusted(
          Int((stack.hitRatio(capacity: small) * Double(sample.requests.count)).rounded()), sample, trace)
      }
      return Found(
        capacity: capacity, hitRatio: ratios.mean, error: factor == 1 ? nil : ratios.standardError,
        lru: lru.mean)
    }
  }

  /// The hit ratio of a sample as it would be with its fair share of requests. What a sample has too many or too few
  /// are requests for the few hottest keys, and those are hits at any size.
  private func adjusted(_ hits: Int, _ sample: Trace, _ trace: Trace) -> Double {
    let fair = Double(trace.requests.count) / Double(factor)
    return min(max((Double(hits) + fair - Double(sample.requests.count)) / fair, 0), 1)
  }
}
