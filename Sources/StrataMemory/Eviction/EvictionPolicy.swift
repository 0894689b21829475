/// The eviction policy: selects the entry to evict when there is no room.
///
/// New entries pass through a small *window*. Entries that are used there, or have a better history than the next
/// victim of the *main* queue, are promoted to the main queue. The window's share of the room adapts to the hits that
/// either side had or missed. The module's README explains this.
///
/// The policy refers to nodes by index and keeps its data in their states. Every operation is O(1), also in the worst
/// case; a hit writes only to the entry's own state. Not thread-safe: used under the lock of the shard.
@usableFromInline
struct EvictionPolicy: ~Copyable, Sendable {
  // The fields that a hit needs come first: they share a cache line with the lock.
  /// The number of accesses so far: the time in which gaps are measured.
  @usableFromInline var clock: UInt32 = 0
  /// How many accesses an unused entry stays in the window. Unknown before the first eviction, so the maximum.
  @usableFromInline var windowStay: UInt32 = .max
  var insertions: UInt32 = 0
  var window = EvictionQueue(.window)
  var main = EvictionQueue(.main)
  /// The fraction of the room that belongs to the window.
  @usableFromInline var windowShare = 0.01
  var ghosts: EvictionGhosts?
  /// The mean number of insertions after which entries that left the window unused came back, over the last 16 or so.
  var usualReturn = 0.0

  @usableFromInline
  init() {}

  var count: Int { window.count + main.count }
  var cost: Int { window.cost + main.cost }
  /// The cost that the window is meant to hold.
  var windowRoom: Double { windowShare * Double(cost) }

  /// Records a use of an entry: a read or an overwrite.
  @inlinable
  @inline(__always)
  mutating func hit(_ state: inout EvictionState) {
    clock &+= 1
    let gap = clock &- state.lastUse
    if gap > windowStay, state.isInMain, !state.isUsed { shrinkWindow() }
    state.history.add(gap: gap)
    state.isUsed = true
    state.lastUse = clock
  }

  /// Inserts a new entry into the window. Before the first eviction, entries that exceed the window's room go to the
  /// main queue.
  @usableFromInline
  mutating func insert(_ node: UInt32, in nodes: EvictionNodes) {
    clock &+= 1
    insertions &+= 1
    nodes[node].pointee.bits &= ~EvictionState.policyBits
    nodes[node].pointee.lastUse = clock
    if let ghost = ghosts?.recall(nodes[node].pointee.hash, clock: clock, insertions: insertions) {
      nodes[node].pointee.history = ghost.history
      nodes[node].pointee.history.add(gap: ghost.age)
      if let insertionsAgo = ghost.insertionsAgo { growWindow(forHitAt: insertionsAgo) }
    }
    window.append(node, in: nodes)
    if ghosts == nil, window.count > 1, Double(window.cost) > windowRoom, let first = window.first {
      promote(first, in: nodes)
    }
  }

  /// Removes an evicted entry and remembers it as a ghost.
  @usableFromInline
  mutating func evict(_ node: UInt32, in nodes: EvictionNodes) {
    let state = nodes[node].pointee
    if (ghosts?.capacity ?? 0) < 2 * count {
      // Room for a quarter more entries than there are now, since their number may vary: growing would drop all ghosts.
      ghosts = EvictionGhosts(population: count + count / 4)
    }
    let wasRejected = state.place == .window && !state.isUsed
    // The window is a queue, so all entries still in it were inserted later.
    ghosts?.remember(state, insertion: wasRejected ? insertions &- UInt32(window.count - 1) : nil)
    remove(node, in: nodes)
  }

  /// Removes an entry for any reason but eviction, without remembering it.
  @usableFromInline
  mutating func remove(_ node: UInt32, in nodes: EvictionNodes) {
    if nodes[node].pointee.place == .window {
      window.remove(node, in: nodes)
    } else {
      main.remove(node, in: nodes)
    }
  }

  /// Records that an entry was replaced by one of another cost.
  @usableFromInline
  mutating func changeCost(_ node: UInt32, from old: Int, to new: Int, in nodes: EvictionNodes) {
    if nodes[node].pointee.place == .window {
      window.changeCost(from: old, to: new)
    } else {
      main.changeCost(from: old, to: new)
    }
  }

  /// Records that a node was copied, with its state, to another index.
  @usableFromInline
  mutating func move(_ node: UInt32, to other: UInt32, in nodes: EvictionNodes) {
    if nodes[other].pointee.place == .window {
      window.moved(to: other, in: nodes)
    } else {
      main.moved(to: other, in: nodes)
    }
  }

  mutating func promote(_ node: UInt32, in nodes: EvictionNodes) {
    remove(node, in: nodes)
    main.append(node, in: nodes)
  }
}
