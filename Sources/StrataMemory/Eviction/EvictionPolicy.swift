/// Which entry goes next: a queue in the order of arrival and a hand that passes over what was used since it last came by.
@usableFromInline
struct EvictionPolicy: ~Copyable, Sendable {
  private var oldest = EvictionState.none
  private var newest = EvictionState.none
  private var hand = EvictionState.none

  @usableFromInline init() {}

  @inlinable
  static func hit(_ state: inout EvictionState) {
    if state.bits & 1 == 0 { state.bits |= 1 }
  }

  @usableFromInline
  mutating func insert(_ node: UInt32, in nodes: EvictionNodes) {
    nodes[node].pointee.previous = newest
    nodes[node].pointee.next = EvictionState.none
    if newest == EvictionState.none { oldest = node } else { nodes[newest].pointee.next = node }
    newest = node
  }

  @usableFromInline
  mutating func victim(sparing spared: UInt32?, in nodes: EvictionNodes) -> UInt32? {
    if oldest == newest, oldest == spared ?? EvictionState.none { return nil }
    while true {
      if hand == EvictionState.none { hand = oldest }
      if hand == EvictionState.none { return nil }
      if hand == spared || (hand == newest && hand != oldest) {
        hand = nodes[hand].pointee.next
      } else if nodes[hand].pointee.bits & 1 == 0 {
        return hand
      } else {
        nodes[hand].pointee.bits &= ~1
        hand = nodes[hand].pointee.next
      }
    }
  }

  @usableFromInline
  mutating func evict(_ node: UInt32, in nodes: EvictionNodes) { remove(node, in: nodes) }

  @usableFromInline
  mutating func remove(_ node: UInt32, in nodes: EvictionNodes) {
    let (previous, next) = (nodes[node].pointee.previous, nodes[node].pointee.next)
    if hand == node { hand = next }
    if previous == EvictionState.none { oldest = next } else { nodes[previous].pointee.next = next }
    if next == EvictionState.none { newest = previous } else { nodes[next].pointee.previous = previous }
  }

  @usableFromInline
  mutating func changeCost(_ node: UInt32, from old: Int, to new: Int, in nodes: EvictionNodes) {}

  @usableFromInline
  mutating func move(_ node: UInt32, to other: UInt32, in nodes: EvictionNodes) {
    let (previous, next) = (nodes[other].pointee.previous, nodes[other].pointee.next)
    if hand == node { hand = other }
    if previous == EvictionState.none { oldest = other } else { nodes[previous].pointee.next = other }
    if next == EvictionState.none { newest = other } else { nodes[next].pointee.previous = other }
  }
}
