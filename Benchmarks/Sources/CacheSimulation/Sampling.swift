import BenchHarness
public import BenchTraces

/// The simulated part of a trace: all of it, or several samples of its keys in caches smaller by the same factor.
public struct Sampling: Sendable {
  /// The number of keys for each key in a sample; 1 if all keys are simulated.
  public let factor: Int
  /// The number of samples, which share no key.
  public let sampleCount: Int

  /// The minimum number of distinct keys for a representative sample.
  private static let fewestKeys = 4_000
  /// The target number of requests in a sample.
  private static let requestsOfSample = 500_000

  /// Chooses the sampling. A trace of up to two million requests is simulated whole.
  public init(of trace: Trace, isExact: Bool) {
    let byRequests = trace.requests.count / Self.requestsOfSample
    let byKeys = trace.uniqueCount / Self.fewestKeys
    let factor = min(byRequests, byKeys)
    self.init(factor: !isExact && factor > 4 ? factor : 1)
  }

  /// Creates a sampling of four samples, each with one in `factor` keys; for 1, of the whole trace.
  public init(factor: Int) {
    self.factor = factor
    sampleCount = factor == 1 ? 1 : 4
  }

  /// The smallest size to simulate: below it, a sample's cache would have too few entries to behave like a large one.
  public var smallestCapacity: Int { factor == 1 ? 1 : factor * 20 }

  /// The results for one size.
  public struct Found: Sendable {
    /// The size of the cache.
    public let capacity: Int
    /// The share of the requests that hit.
    public let hitRatio: Double
    /// The standard error of the hit ratio, from the differences between samples; `nil` without sampling.
    public let error: Double?
    /// The share of the requests that would hit in a cache that evicts the least recently used entry.
    public let lru: Double

    /// Creates a result.
    public init(capacity: Int, hitRatio: Double, error: Double?, lru: Double) {
      self.capacity = capacity
      self.hitRatio = hitRatio
      self.error = error
      self.lru = lru
    }
  }

  /// Simulates caches of several sizes, and reports each size before it is simulated.
  public func simulate(
    _ trace: Trace, capacities: [Int], progress: (Int) throws -> Void = { _ in }
  ) throws -> [Found] {
    let samples = factor == 1 ? [trace] : (0..<sampleCount).map { trace.sample($0, of: factor) }
    let stacks = samples.map(StackDistances.init)
    return try capacities.map { capacity in
      try progress(capacity)
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

  /// Returns a sample's hit ratio, corrected for its share of requests. The excess or lack consists of requests for the
  /// few hottest keys, which are hits at any size.
  private func adjusted(_ hits: Int, _ sample: Trace, _ trace: Trace) -> Double {
    let fair = Double(trace.requests.count) / Double(factor)
    return min(max((Double(hits) + fair - Double(sample.requests.count)) / fair, 0), 1)
  }
}
