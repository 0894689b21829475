/// The hit ratio that no cache exceeds (L. Belady, 1966), since it uses future requests. On a miss in a full cache, it
/// evicts the entry whose next request is last, which may be the new one.
public struct Optimum: Sendable {
  private let requests: [Int32]
  /// For each request, the index of the next request for its key. If there is none, a number beyond the end of the
  /// trace, different for each key.
  private let next: [Int32]
  private let uniqueCount: Int

  /// Finds the next requests in a trace whose entries all cost the same.
  public init(_ trace: Trace) {
    precondition(trace.costs == nil, "the optimum cannot be computed for a trace with costs")
    requests = trace.requests
    uniqueCount = trace.uniqueCount
    var upcoming = (0..<trace.uniqueCount).map { Int32(trace.requests.count + $0) }
    var next = Array(repeating: Int32(0), count: trace.requests.count)
    for index in trace.requests.indices.reversed() {
      let key = Int(trace.requests[index])
      next[index] = upcoming[key]
      upcoming[key] = Int32(index)
    }
    self.next = next
  }

  /// Returns the highest hit ratio of a cache with this many entries.
  public func hitRatio(capacity: Int) -> Double {
    var hits = 0
    var count = 0
    var isResident = Array(repeating: false, count: uniqueCount)
    // The next requests of resident entries. Past requests stay in the heap, below all future ones.
    var moments = MaxHeap()
    for (index, key) in requests.enumerated() {
      if isResident[Int(key)] { hits += 1 } else { count += 1 }
      isResident[Int(key)] = true
      moments.insert(next[index])
      if count > capacity, let latest = moments.removeMax() {
        // The index of the next request identifies the key.
        let key = Int(latest) < requests.count ? requests[Int(latest)] : latest - Int32(requests.count)
        isResident[Int(key)] = false
        count -= 1
      }
    }
    return requests.isEmpty ? 0 : Double(hits) / Double(requests.count)
  }
}

/// A binary max-heap of numbers.
private struct MaxHeap {
  private var numbers: [Int32] = []

  mutating func insert(_ number: Int32) {
    numbers.append(number)
    var child = numbers.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      if numbers[parent] >= numbers[child] { break }
      numbers.swapAt(parent, child)
      child = parent
    }
  }

  mutating func removeMax() -> Int32? {
    guard let last = numbers.popLast() else { return nil }
    guard let largest = numbers.first else { return last }
    numbers[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < numbers.count else { break }
      if child + 1 < numbers.count && numbers[child + 1] > numbers[child] { child += 1 }
      if numbers[parent] >= numbers[child] { break }
      numbers.swapAt(parent, child)
      parent = child
    }
    return largest
  }
}
