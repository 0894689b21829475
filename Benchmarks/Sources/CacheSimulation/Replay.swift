public import BenchTraces
import StrataMemory

extension Trace {
  /// Returns the hit ratio of a `MemoryStorage` of a given capacity, if each miss stores the entry.
  ///
  /// If the trace has costs, the capacity is the limit on the cost of all entries together.
  public func replay(capacity: Int) throws -> Double {
    Double(try hits(capacity: capacity)) / Double(requests.count)
  }

  /// Returns the number of hits of a `MemoryStorage` of a given capacity.
  public func hits(capacity: Int) throws -> Int {
    guard let costs else {
      let memory = MemoryStorage<Int, Int>(config: MemoryConfig(countLimit: UInt(capacity)))
      return try replay(in: memory) { _ in 1 }
    }
    let memory = MemoryStorage<Int, Int>(
      config: MemoryConfig(totalCostLimit: UInt(capacity)), cost: { _, cost in cost })
    return try replay(in: memory) { costs[$0] }
  }

  private func replay(in memory: MemoryStorage<Int, Int>, cost: (Int) -> Int) throws -> Int {
    var hits = 0
    for (index, request) in requests.enumerated() {
      let key = Int(request)
      if try memory.objectIfPresent(forKey: key) != nil {
        hits += 1
      } else {
        try memory.setObject(cost(index), forKey: key)
      }
    }
    return hits
  }
}
