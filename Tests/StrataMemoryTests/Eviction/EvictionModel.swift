import Testing

@testable import StrataMemory

/// A cache of keys alone. It uses the eviction policy as a table does, in the simplest way, and checks the invariants.
final class EvictionModel {
  private(set) var policy = EvictionPolicy()
  private let pages: UnsafeMutablePointer<MemoryPage>
  private var costs = PagedArray<Int>()
  private let nodes: EvictionNodes
  private let pageCount: Int
  private var free: [UInt32]
  private(set) var index: [Int: UInt32] = [:]
  private var keys: [UInt32: Int] = [:]
  private(set) var evicted: [Int] = []
  private let countLimit: Int
  private let costLimit: Int

  init(countLimit: Int = .max, costLimit: Int = .max, room: Int = 4096) {
    (self.countLimit, self.costLimit) = (countLimit, costLimit)
    pageCount = (room + MemoryPage.size - 1) / MemoryPage.size
    pages = .allocate(capacity: pageCount)
    for page in 0..<pageCount {
      let states = UnsafeMutablePointer<EvictionState>.allocate(capacity: MemoryPage.size)
      states.initialize(repeating: EvictionState(hash: 0, bits: 0), count: MemoryPage.size)
      (pages + page).initialize(to: MemoryPage())
      pages[page].nodes = UnsafeMutableRawPointer(states)
    }
    costs.addPages(from: 0, count: UInt32(pageCount * MemoryPage.size), filledWith: 0)
    nodes = EvictionNodes(pages: pages, stride: MemoryLayout<EvictionState>.stride, costs: costs.pages)
    free = (0..<UInt32(pageCount * MemoryPage.size)).reversed()
  }

  deinit {
    for page in 0..<pageCount { pages[page].nodes?.deallocate() }
    pages.deallocate()
  }

  private(set) var cost = 0
  var windowShare: Double { policy.windowShare }
  var ghostCapacity: Int? { policy.ghosts?.capacity }
  func contains(_ key: Int) -> Bool { index[key] != nil }

  /// Reads a key and inserts it if it is missing. Returns whether it was present.
  @discardableResult
  func use(_ key: Int, cost: Int = 1) -> Bool {
    if let node = index[key] {
      policy.hit(&nodes[node].pointee)
      return true
    }
    makeRoom(count: 1, cost: cost, sparing: nil)
    let node = free.removeLast()
    nodes[node].initialize(to: EvictionState(hash: hash(key), bits: tableBits))
    setCost(cost, of: node)
    self.cost += cost
    (index[key], keys[node]) = (node, key)
    policy.insert(node, in: nodes)
    return false
  }

  /// Uses all keys, and returns the share of hits.
  @discardableResult
  func hitRatio(_ keys: some Sequence<Int>) -> Double {
    var (hits, all) = (0, 0)
    for key in keys {
      if use(key) { hits += 1 }
      all += 1
    }
    return Double(hits) / Double(all)
  }

  /// Changes the cost of an entry, which is not evicted for that itself.
  func changeCost(of key: Int, to cost: Int) throws {
    let node = try #require(index[key])
    let old = nodes.cost(of: node)
    makeRoom(count: 0, cost: cost - old, sparing: node)
    setCost(cost, of: node)
    self.cost += cost - old
    policy.changeCost(node, from: old, to: cost, in: nodes)
  }

  func remove(_ key: Int) {
    guard let node = index.removeValue(forKey: key) else { return }
    keys[node] = nil
    cost -= nodes.cost(of: node)
    policy.remove(node, in: nodes)
    free.append(node)
  }

  /// Moves an entry to another index, as a table does to close gaps.
  func move(_ key: Int) throws {
    let node = try #require(index[key])
    let other = free.removeLast()
    nodes[other].initialize(to: nodes[node].pointee)
    setCost(nodes.cost(of: node), of: other)
    (index[key], keys[other], keys[node]) = (other, key, nil)
    policy.move(node, to: other, in: nodes)
    // A stale access to the old index then finds this state.
    nodes[node].initialize(to: EvictionState(hash: 0, bits: 0))
    free.append(node)
  }

  func victim(sparing key: Int?) -> Int? {
    policy.victim(sparing: key.flatMap { index[$0] }, in: nodes).flatMap { keys[$0] }
  }

  /// Checks all invariants.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    var seen: Set<UInt32> = []
    check(policy.window, &seen, sourceLocation)
    check(policy.main, &seen, sourceLocation)
    #expect(seen == Set(index.values), sourceLocation: sourceLocation)
    #expect(index.values.reduce(0) { $0 + nodes.cost(of: $1) } == cost, sourceLocation: sourceLocation)
    #expect(index.count <= countLimit, sourceLocation: sourceLocation)
    #expect(cost <= costLimit, sourceLocation: sourceLocation)
    #expect((0.01...0.99).contains(policy.windowShare), sourceLocation: sourceLocation)
  }

  private func check(_ queue: borrowing EvictionQueue, _ seen: inout Set<UInt32>, _ location: SourceLocation)
  {
    var (cost, count) = (0, 0)
    var next = queue.first
    while let node = next, seen.insert(node).inserted {
      let state = nodes[node].pointee
      #expect(state.place == queue.place, sourceLocation: location)
      #expect(state.bits & ~EvictionState.policyBits == tableBits, sourceLocation: location)
      cost += nodes.cost(of: node)
      count += 1
      next = queue.next(after: node, in: nodes)
    }
    #expect(next == nil, sourceLocation: location)
    #expect(queue.cost == cost, sourceLocation: location)
    #expect(queue.count == count, sourceLocation: location)
  }

  private func makeRoom(count: Int, cost more: Int, sparing spared: UInt32?) {
    while index.count + count > countLimit || (costLimit < .max && cost + more > costLimit) {
      guard let node = policy.victim(sparing: spared, in: nodes) else { break }
      #expect(node != spared)
      guard let key = keys.removeValue(forKey: node) else {
        Issue.record("the victim is no entry")
        break
      }
      policy.evict(node, in: nodes)
      cost -= nodes.cost(of: node)
      index[key] = nil
      evicted.append(key)
      free.append(node)
    }
  }

  private func setCost(_ cost: Int, of node: UInt32) { costs[node] = cost }

  /// Bits that belong to the table, which the policy must preserve.
  private let tableBits: UInt32 = 0xa500_0000

  private func hash(_ key: Int) -> UInt32 {
    var hash = UInt64(bitPattern: Int64(key)) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ hash >> 32) &* 0xbf58_476d_1ce4_e5b9
    return UInt32(truncatingIfNeeded: hash >> 29)
  }
}
