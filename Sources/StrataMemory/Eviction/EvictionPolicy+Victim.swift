extension EvictionPolicy {
  /// The maximum number of used entries that are promoted or get another round per victim. It bounds the worst case.
  private static var maximumSteps: Int { 16 }

  /// Returns the node to evict next, other than `spared`, or `nil` if there is no other. The node stays in its queue.
  ///
  /// The newest entry is chosen only if it is alone in the window, and then a new entry is about to take its place.
  @usableFromInline
  mutating func victim(sparing spared: UInt32?, in nodes: EvictionNodes) -> UInt32? {
    var steps = Self.maximumSteps
    while let candidate = first(of: window, sparing: spared, in: nodes) {
      let state = nodes[candidate].pointee
      if !state.isUsed { windowStay = clock &- state.lastUse }
      if steps > 0, !windowHasRoom,
        state.isUsed || (state.history.uses > 0 && isSurplus(candidate, in: nodes))
      {
        steps -= 1
        promote(candidate, in: nodes)
        continue
      }
      guard let old = oldInMain(sparing: spared, &steps, in: nodes) else { return candidate }
      if windowHasRoom { return old }
      guard isBetter(candidate, than: old, in: nodes) else { return candidate }
      promote(candidate, in: nodes)
      return old
    }
    return oldInMain(sparing: spared, &steps, in: nodes)
  }

  /// Returns whether the window fills its share even without the candidate, so that the main queue has room for it.
  private func isSurplus(_ candidate: UInt32, in nodes: EvictionNodes) -> Bool {
    window.count > 1 && Double(window.cost - nodes.cost(of: candidate)) >= windowRoom
  }

  /// Whether the window has room for one more entry of average cost.
  private var windowHasRoom: Bool { Double(window.cost) + Double(cost) / Double(count) <= windowRoom }

  /// Returns the first entry of the main queue that was not used in its round. Gives used entries another round.
  private mutating func oldInMain(
    sparing spared: UInt32?, _ steps: inout Int, in nodes: EvictionNodes
  ) -> UInt32? {
    while let old = first(of: main, sparing: spared, in: nodes) {
      guard nodes[old].pointee.isUsed, steps > 0 else { return old }
      steps -= 1
      promote(old, in: nodes)
    }
    return nil
  }

  /// Returns the first node of a queue, or the second if the first is to be spared.
  private func first(of queue: borrowing EvictionQueue, sparing spared: UInt32?, in nodes: EvictionNodes)
    -> UInt32?
  {
    guard let node = queue.first, node == spared else { return queue.first }
    return queue.next(after: node, in: nodes)
  }

  /// Returns whether an entry that leaves the window should stay instead of one of the main queue.
  ///
  /// Each is expected to be used again after its mean gap or, once that has passed, after as long as it has waited
  /// already. The better entry has the lower product of that time and its cost. An entry without a history is expected
  /// never to be used again. The newcomer must be better by an eighth: entries of one loop differ only by rounding and
  /// would evict each other.
  private func isBetter(_ candidate: UInt32, than old: UInt32, in nodes: EvictionNodes) -> Bool {
    guard nodes[candidate].pointee.history.uses > 0 else { return false }
    return expense(of: candidate, in: nodes) * 1.125 < expense(of: old, in: nodes)
  }

  private func expense(of node: UInt32, in nodes: EvictionNodes) -> Double {
    let state = nodes[node].pointee
    return Double(max(state.history.meanGap, clock &- state.lastUse)) * Double(max(nodes.cost(of: node), 1))
  }
}
