/// The requests that a cache was asked for, in order.
public struct Trace: Sendable, Equatable {
  /// What it is called: the name of its file.
  public var name: String
  /// The keys, numbered from 0 in the order in which they first came up.
  public private(set) var requests: [Int32] = []
  /// What each request's entry costs; `nil` where each counts as one.
  public private(set) var costs: [Int]?
  /// How many different keys there are.
  public private(set) var uniqueCount = 0

  /// Makes a trace without requests.
  public init(name: String, hasCosts: Bool = false) {
    self.name = name
    costs = hasCosts ? [] : nil
  }

  /// Adds a request for a key, which is one that was there or the next number.
  public mutating func add(_ key: Int32, cost: Int = 1) {
    requests.append(key)
    costs?.append(cost)
    uniqueCount = max(uniqueCount, Int(key) + 1)
  }

  /// What an entry costs at one request.
  public func cost(at index: Int) -> Int { costs?[index] ?? 1 }

  /// What all keys cost together, each as when it was last asked for: the size of a cache that never evicts.
  public var totalCost: Int {
    guard let costs else { return uniqueCount }
    var last = Array(repeating: 0, count: uniqueCount)
    for (key, cost) in zip(requests, costs) { last[Int(key)] = cost }
    return last.reduce(0, +)
  }

  /// The share of requests that a cache of any size answers at most: all but the first for each key.
  public var bestHitRatio: Double {
    requests.isEmpty ? 0 : 1 - Double(uniqueCount) / Double(requests.count)
  }
}
