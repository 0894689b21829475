/// A queue of nodes in the order in which they were put in, linked through their states.
@usableFromInline
struct EvictionQueue: Sendable {
  /// Which place this is; nodes in it say so.
  let place: EvictionState.Place
  /// The node that is next to leave.
  private(set) var first = EvictionState.none
  private(set) var last = EvictionState.none
  @usableFromInline private(set) var count = 0
  /// What all nodes in it cost.
  private(set) var cost = 0

  init(_ place: EvictionState.Place) { self.place = place }

  mutating func append(_ node: UInt32, in nodes: EvictionNodes) {
    nodes[node].pointee.place = place
    nodes[node].pointee.previous = last
    nodes[node].pointee.next = EvictionState.none
    if last == EvictionState.none { first = node } else { nodes[last].pointee.next = node }
    last = node
    count += 1
    cost += nodes.cost(of: node)
  }

  mutating func remove(_ node: UInt32, in nodes: EvictionNodes) {
    let (previous, next) = (nodes[node].pointee.previous, nodes[node].pointee.next)
    if previous == EvictionState.none { first = next } else { nodes[previous].pointee.next = next }
    if next == EvictionState.none { last = previous } else { nodes[next].pointee.previous = previous }
    nodes[node].pointee.place = .nowhere
    count -= 1
    cost -= nodes.cost(of: node)
  }

  /// Tells the neighbours of a node that it lies elsewhere now.
  mutating func moved(to node: UInt32, in nodes: EvictionNodes) {
    let (previous, next) = (nodes[node].pointee.previous, nodes[node].pointee.next)
    if previous == EvictionState.none { first = node } else { nodes[previous].pointee.next = node }
    if next == EvictionState.none { last = node } else { nodes[next].pointee.previous = node }
  }

  mutating func changeCost(from old: Int, to new: Int) { cost += new - old }
}
