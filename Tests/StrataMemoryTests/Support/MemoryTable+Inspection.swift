@testable import StrataMemory

extension MemoryTable {
  /// The keys of all entries, expired ones too.
  var storedKeys: Set<Key> {
    var keys: Set<Key> = []
    forEachIndex { keys.insert(self[$0].pointee.key) }
    return keys
  }

  /// The violated invariants of the table.
  var flaws: [String] {
    var flaws: [String] = []
    var counted = 0
    var cost = 0
    var timed = 0
    forEachIndex { index in
      let node = self[index]
      counted += 1
      if hasCosts { cost += costs[index] }
      if node.pointee.state.isTimed { timed += 1 }
      if self.index(of: node.pointee.key, hash: node.pointee.state.hash) != index {
        flaws.append("the entry at \(index) is not found")
      }
    }
    if counted != count { flaws.append("\(counted) entries, counted as \(count)") }
    if cost != self.cost { flaws.append("entries that cost \(cost), counted as \(self.cost)") }
    if timed != timers.count {
      flaws.append("\(timed) entries with timers, of which there are \(timers.count)")
    }
    if policy.count != count { flaws.append("the policy knows of \(policy.count) entries, not \(count)") }
    return flaws + directoryFlaws
  }

  private func tagFlaws(_ page: MemoryPage, _ number: Int) -> [String] {
    guard Self.hasTags, let nodes = page.nodes?.assumingMemoryBound(to: Node.self) else { return [] }
    let segment = Segment(nodes: nodes, page: UInt32(number), capacity: page.capacity)
    return (0..<Int(page.capacity)).compactMap { place in
      let state = nodes.state(at: place).pointee
      let tag = state.isEntry ? Self.tag(state.hash) : 0
      return segment.tags[place] == tag ? nil : "the tag of place \(place) of page \(number) is another's"
    }
  }

  private var directoryFlaws: [String] {
    var flaws: [String] = []
    var deep = 0
    var reached: [UInt32: Int] = [:]
    for place in 0..<(1 << depth) { reached[directory[place].page, default: 0] += 1 }
    for number in 0..<pageCount where pages[number].isSegment {
      let page = pages[number]
      if Int(page.depth) == depth { deep += 1 }
      if page.count * 5 > page.capacity * 4 { flaws.append("the segment of page \(number) is too full") }
      let places = reached[UInt32(number), default: 0]
      if places != 1 << (depth - Int(page.depth)) {
        flaws.append("page \(number) is reached \(places) times")
      }
      flaws += tagFlaws(page, number)
      let nodes = (0..<Int(page.capacity)).count {
        self.nodes[UInt32(number) << MemoryPage.bits + UInt32($0)].pointee.isEntry
      }
      if nodes != Int(page.count) { flaws.append("page \(number) has \(nodes) entries, not \(page.count)") }
    }
    if deep != deepSegments { flaws.append("\(deep) segments have full depth, not \(deepSegments)") }
    return flaws
  }

  /// The bytes of memory for nodes.
  var nodeBytes: Int {
    (0..<pageCount).reduce(0) { $0 + Int(pages[$1].capacity) * MemoryLayout<Node>.stride }
  }
}
