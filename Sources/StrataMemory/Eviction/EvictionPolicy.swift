/// Which entry goes next when there is no room.
///
/// New entries pass through a small *window*; what was used there, or has a better history than what the *main* queue
/// would give up, goes on to that. How much of the room is the window's follows from what would have been hits. The
/// module's documentation says more.
///
/// It knows nodes by their indices and keeps what it needs in their states. Every operation is O(1), the worst case
/// too; a hit writes to the entry's own state only. Not thread-safe: used under the lock of the shard.
@usableFromInline
struct EvictionPolicy: ~Copyable, Sendable {
  // First what a hit needs: it lies in one line of memory with the lock.
  /// Counts accesses: the time in which gaps are measured.
  @usableFromInline var clock: UInt32 = 0
  /// How long an entry stays in the window if it is not used, in accesses. No end of it was seen before there was an
  /// eviction.
  @usableFromInline var windowStay: UInt32 = .max
  var insertions: UInt32 = 0
  var window = EvictionQueue(.window)
  var main = EvictionQueue(.main)
  /// How much of the room is the window's.
  @usableFromInline var windowShare = 0.01
  var ghosts: EvictionGhosts?
  /// How many insertions it took entries that had left the window unused to come back: the mean of the last 16 or so.
  var usualReturn = 0.0

  @usableFromInline
  init() {}

  var count: Int { window.count + main.count }
  var cost: Int { window.cost + main.cost }
  /// The cost that the window should have.
  var windowRoom: Double { windowShare * Double(cost) }

  /// An entry is used: read, or written again.
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

  /// An entry is new. Until there was an eviction the main queue has room for what the window has no room for.
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

  /// An entry is taken out to make room; it is remembered.
  @usableFromInline
  mutating func evict(_ node: UInt32, in nodes: EvictionNodes) {
    let state = nodes[node].pointee
    if (ghosts?.capacity ?? 0) < 2 * count {
      // A quarter more than there are, for a number of entries that goes up and down: to grow means to forget.
      ghosts = EvictionGhosts(population: count + count / 4)
    }
    let wasRejected = state.place == .window && !state.isUsed
    // The window is a queue: all that are left in it came later.
    ghosts?.remember(state, insertion: wasRejected ? insertions &- UInt32(window.count - 1) : nil)
    remove(node, in: nodes)
  }

  /// An entry is taken out for another reason; it is forgotten.
  @usableFromInline
  mutating func remove(_ node: UInt32, in nodes: EvictionNodes) {
    if nodes[node].pointee.place == .window {
      window.remove(node, in: nodes)
    } else {
      main.remove(node, in: nodes)
    }
  }

  /// An entry was replaced by one of another cost.
  @usableFromInline
  mutating func changeCost(_ node: UInt32, from old: Int, to new: Int, in nodes: EvictionNodes) {
    if nodes[node].pointee.place == .window {
      window.changeCost(from: old, to: new)
    } else {
      main.changeCost(from: old, to: new)
    }
  }

  /// A node was copied, with its state, to another index.
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
