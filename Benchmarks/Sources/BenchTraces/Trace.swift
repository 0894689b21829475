/// The requests to a cache, in order.
public struct Trace: Sendable, Equatable {
  /// The name of the trace, from the name of its file.
  public var name: String
  /// The keys, numbered from 0 in the order of their first requests.
  public private(set) var requests: [Int32] = []
  /// The cost of each request's entry; `nil` if each entry costs 1.
  public private(set) var costs: [Int]?
  /// The number of distinct keys.
  public private(set) var uniqueCount = 0

  /// Creates a trace without requests.
  public init(name: String, hasCosts: Bool = false) {
    self.name = name
    costs = hasCosts ? [] : nil
  }

  /// Adds a request for a known key, or for the next number.
  public mutating func add(_ key: Int32, cost: Int = 1) {
    requests.append(key)
    costs?.append(cost)
    uniqueCount = max(uniqueCount, Int(key) + 1)
  }

  /// Returns the cost of the entry of one request.
  public func cost(at index: Int) -> Int { costs?[index] ?? 1 }

  /// The cost of all keys together, each at its last request: the size of a cache that never evicts.
  public var totalCost: Int {
    guard let costs else { return uniqueCount }
    var last = Array(repeating: 0, count: uniqueCount)
    for (key, cost) in zip(requests, costs) { last[Int(key)] = cost }
    return last.reduce(0, +)
  }

  /// The highest hit ratio at any size: all requests except the first for each key hit.
  public var bestHitRatio: Double {
    requests.isEmpty ? 0 : 1 - Double(uniqueCount) / Double(requests.count)
  }
}
