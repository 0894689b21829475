/// The hit ratios of an LRU cache over a trace, for all sizes at once.
///
/// A request hits an LRU cache if the cache holds the entry and all entries requested since the last request for its
/// key (R. Mattson and others, 1970). One pass over the trace finds these distances, in O(n log n).
public struct StackDistances: Sendable {
  /// The distances of all requests but the first for each key, in ascending order.
  private let sorted: [Int]
  private let requestCount: Int

  /// Measures the distances of a trace.
  public init(_ trace: Trace) {
    var last = Array(repeating: -1, count: trace.uniqueCount)
    var recent = PrefixSums(count: trace.requests.count)
    var distances: [Int] = []
    for (index, key) in trace.requests.enumerated() {
      let before = last[Int(key)]
      let cost = trace.cost(at: index)
      if before >= 0 {
        distances.append(recent.sum(in: before + 1..<index) + cost)
        recent.add(-trace.cost(at: before), at: before)
      }
      recent.add(cost, at: index)
      last[Int(key)] = index
    }
    sorted = distances.sorted()
    requestCount = trace.requests.count
  }

  /// Returns the hit ratio of an LRU cache of this capacity.
  public func hitRatio(capacity: Int) -> Double {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] <= capacity { low = middle + 1 } else { high = middle }
    }
    return requestCount == 0 ? 0 : Double(low) / Double(requestCount)
  }
}

/// An array that changes an element, and sums a range, in O(log n): a Fenwick tree.
private struct PrefixSums {
  private var tree: [Int]

  init(count: Int) { tree = Array(repeating: 0, count: count + 1) }

  mutating func add(_ amount: Int, at index: Int) {
    var place = index + 1
    while place < tree.count {
      tree[place] += amount
      place += place & -place
    }
  }

  func sum(in range: Range<Int>) -> Int { sum(upTo: range.upperBound) - sum(upTo: range.lowerBound) }

  private func sum(upTo end: Int) -> Int {
    var sum = 0
    var place = end
    while place > 0 {
      sum += tree[place]
      place -= place & -place
    }
    return sum
  }
}
