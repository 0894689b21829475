extension MemoryTable {
  /// Inserts an entry whose key is not in the table. Returns its index.
  @inlinable
  mutating func insert(_ key: Key, _ value: Value, hash: UInt32, cost: Int) -> UInt32 {
    while pages[Int(segment(hash).page)].isFull { grow(hash) }
    let segment = segment(hash)
    let place = emptyPlace(for: hash, in: segment)
    (segment.nodes + place).initialize(to: Node(key: key, value: value, hash: hash))
    segment.setTag(Self.tag(hash), at: place)
    pages[Int(segment.page)].count += 1
    count += 1
    let index = segment.index(place)
    if hasCosts {
      costs[index] = cost
      self.cost += cost
    }
    policy.insert(index, in: nodes)
    return index
  }

  /// Replaces the value of an entry. Returns the old value.
  @inlinable
  mutating func replace(_ found: Found, with value: Value, cost: Int) -> Value {
    // Exchanged, not copied: that would retain the old value and release it at once.
    var old = value
    swap(&found.node.pointee.value, &old)
    policy.hit(&found.node.pointee.state)
    if hasCosts, costs[found.index] != cost {
      let before = costs[found.index]
      self.cost += cost - before
      costs[found.index] = cost
      policy.changeCost(found.index, from: before, to: cost, in: nodes)
    }
    return old
  }

  /// Removes an entry. The policy remembers an evicted entry and forgets any other.
  @inlinable
  mutating func remove(
    _ index: UInt32, _ reason: MemoryRemovalReason = .removed, evicting: Bool = false
  ) -> MemoryRemoval<Key, Value> {
    if evicting { policy.evict(index, in: nodes) } else { policy.remove(index, in: nodes) }
    if self[index].pointee.state.isTimed { timers.cancel(index) }
    if hasCosts { cost -= costs[index] }
    count -= 1
    let hash = self[index].pointee.state.hash
    let segment = segment(hash)
    let place = Int(index &- segment.index(0))
    let removal = (segment.nodes + place).move(reason)
    closeGap(at: place, in: segment)
    pages[Int(segment.page)].count -= 1
    if pages[Int(segment.page)].isSparse { shrink(hash) }
    return removal
  }

  /// Moves entries behind a gap into it if a look-up would no longer find them across it.
  @inlinable
  mutating func closeGap(at place: Int, in segment: Segment) {
    var gap = place
    var next = segment.next(place)
    while segment.nodes.state(at: next).pointee.isEntry {
      let home = segment.home(segment.nodes.state(at: next).pointee.hash)
      if segment.distance(from: home, to: next) >= segment.distance(from: gap, to: next) {
        (segment.nodes + gap).moveInitialize(from: segment.nodes + next, count: 1)
        segment.setTag(Self.tag(segment.nodes.state(at: gap).pointee.hash), at: gap)
        relocate(segment.index(next), to: segment.index(gap))
        gap = next
      }
      next = segment.next(next)
    }
    segment.nodes.state(at: gap).pointee.bits = 0
    segment.setTag(0, at: gap)
  }

  /// Updates everything that refers to a node by index after the node has moved.
  @inlinable
  mutating func relocate(_ index: UInt32, to other: UInt32) {
    if hasCosts { costs[other] = costs[index] }
    policy.move(index, to: other, in: nodes)
    if self[other].pointee.state.isTimed {
      timers.move(index, to: other)
      if idleTime != nil {
        uses.addPage(of: other, filledWith: EntryUse())
        uses[other] = uses[index]
      }
    }
  }

  @inlinable
  func emptyPlace(for hash: UInt32, in segment: Segment) -> Int {
    var place = segment.home(hash)
    while !segment.isEmpty(place) { place = segment.next(place) }
    return place
  }
}
