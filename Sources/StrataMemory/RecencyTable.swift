public import StrataCore

/// A hash table that knows in which order its entries were used.
///
/// Open addressing over entries in an array, with their hashes stored: a look-up compares keys only where hashes agree, and
/// moving entries never hashes again. A list through the entries runs from the least to the most recently used.
/// Every operation is O(1), growing amortised.
@usableFromInline
struct RecencyTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct Node: Sendable {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    @usableFromInline var expiry: Expiry
    @usableFromInline var hash: Int
    @usableFromInline var cost: Int
    /// When it was last used, in the time of the storage: to compare the oldest of several tables.
    @usableFromInline var stamp: UInt64
    /// When it was written: no two writes have the same.
    @usableFromInline let written: UInt64
    @usableFromInline var older: Int32 = none
    @usableFromInline var newer: Int32 = none

    @inlinable
    init(key: Key, value: Value, expiry: Expiry, hash: Int, cost: Int, stamp: UInt64) {
      self.key = key
      self.value = value
      self.expiry = expiry
      self.hash = hash
      self.cost = cost
      self.stamp = stamp
      written = stamp
    }
  }

  @usableFromInline static var none: Int32 { -1 }

  /// Places of nodes, by hash; a power of two long and at most three quarters full.
  @usableFromInline var slots: [Int32]
  /// The nodes, without gaps: the last takes the place of one that is removed.
  @usableFromInline var nodes: ContiguousArray<Node> = []
  @usableFromInline var oldest: Int32 = none
  @usableFromInline var newest: Int32 = none

  @inlinable
  init() { slots = Array(repeating: Self.none, count: 8) }

  /// The place of a key, if it is there.
  @inlinable
  func find(_ key: Key, hash: Int) -> Int32? {
    let mask = slots.count &- 1
    var slot = hash & mask
    while true {
      let place = slots[slot]
      if place == Self.none { return nil }
      if nodes[Int(place)].hash == hash, nodes[Int(place)].key == key { return place }
      slot = (slot &+ 1) & mask
    }
  }

  /// Makes an entry the most recently used, unless it was used at the same time before.
  @inlinable
  mutating func touch(_ place: Int32, stamp: UInt64) {
    if nodes[Int(place)].stamp == stamp { return }
    nodes[Int(place)].stamp = stamp
    if place == newest { return }
    unlink(place)
    link(place)
  }

  /// The node that was used least recently.
  @inlinable
  var oldestNode: Node? { oldest == Self.none ? nil : nodes[Int(oldest)] }

  /// Puts in a node whose key is not there, as the most recently used.
  @inlinable
  mutating func insert(_ node: Node) {
    precondition(nodes.count < Int32.max, "a memory storage has room for 2 147 483 647 entries a shard")
    if (nodes.count + 1) * 4 > slots.count * 3 { rehash(into: slots.count * 2) }
    let place = Int32(nodes.count)
    nodes.append(node)
    slots[emptySlot(for: node.hash)] = place
    link(place)
  }

  /// Puts a node in the place of another of the same key, as the most recently used; returns the other.
  @inlinable
  mutating func replace(_ place: Int32, with node: Node) -> Node {
    unlink(place)
    let old = nodes[Int(place)]
    nodes[Int(place)] = node
    link(place)
    return old
  }

  /// Takes out the node at a place.
  @inlinable
  mutating func remove(_ place: Int32) -> Node {
    unlink(place)
    closeGap(at: slot(of: place))
    let last = Int32(nodes.count - 1)
    if place == last { return nodes.removeLast() }
    // The last node moves into the gap: its slot and its neighbours must know.
    slots[slot(of: last)] = place
    let node = nodes[Int(place)]
    nodes[Int(place)] = nodes.removeLast()
    let (older, newer) = (nodes[Int(place)].older, nodes[Int(place)].newer)
    if older == Self.none { oldest = place } else { nodes[Int(older)].newer = place }
    if newer == Self.none { newest = place } else { nodes[Int(newer)].older = place }
    return node
  }

  // MARK: The list

  @inlinable
  mutating func unlink(_ place: Int32) {
    let (older, newer) = (nodes[Int(place)].older, nodes[Int(place)].newer)
    if older == Self.none { oldest = newer } else { nodes[Int(older)].newer = newer }
    if newer == Self.none { newest = older } else { nodes[Int(newer)].older = older }
  }

  @inlinable
  mutating func link(_ place: Int32) {
    nodes[Int(place)].older = newest
    nodes[Int(place)].newer = Self.none
    if newest == Self.none { oldest = place } else { nodes[Int(newest)].newer = place }
    newest = place
  }

  // MARK: The slots

  @inlinable
  func slot(of place: Int32) -> Int {
    var slot = nodes[Int(place)].hash & (slots.count - 1)
    while slots[slot] != place { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  @inlinable
  func emptySlot(for hash: Int) -> Int {
    var slot = hash & (slots.count - 1)
    while slots[slot] != Self.none { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  /// Empties a slot and moves up those behind it that would not be found across the gap.
  @inlinable
  mutating func closeGap(at slot: Int) {
    let mask = slots.count - 1
    var gap = slot
    var next = (slot + 1) & mask
    while slots[next] != Self.none {
      let home = nodes[Int(slots[next])].hash & mask
      if (next - home) & mask >= (next - gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    slots[gap] = Self.none
  }

  @inlinable
  mutating func rehash(into count: Int) {
    slots = Array(repeating: Self.none, count: count)
    for place in nodes.indices { slots[emptySlot(for: nodes[place].hash)] = Int32(place) }
  }
}
