/// A queue of nodes in the order in which they were put in.
///
/// It is a list of blocks of indices; a node knows the number of its slot, and so may leave from the middle or move
/// elsewhere in O(1). Links through the nodes would take twice the memory inside them, and a line of memory for each
/// neighbour whenever a node comes, goes or moves; what lies here is dense.
@usableFromInline
struct EvictionQueue: ~Copyable, Sendable {
  /// Which place this is; nodes in it say so.
  let place: EvictionState.Place
  private(set) var count = 0
  /// What all nodes in it cost.
  private(set) var cost = 0

  /// All blocks by their numbers, and the numbers that are free.
  private(set) var blocks: [EvictionBlock] = []
  private(set) var free: [UInt32] = []
  /// The first and the last block. They are the same where there is no node.
  private var head = EvictionState.none
  private var tail = EvictionState.none
  /// The place of the first node in the first block.
  private var firstPlace = EvictionBlock.start

  init(_ place: EvictionState.Place) { self.place = place }

  // In line: the compiler cannot do without, for a part of what is used in line.
  @inlinable
  deinit { freeBlocks() }

  /// The node that is next to leave.
  var first: UInt32? { count == 0 ? nil : blocks[Int(head)][firstPlace] }

  /// The node behind another.
  func next(after node: UInt32, in nodes: EvictionNodes) -> UInt32? {
    let slot = nodes[node].pointee.slot
    var (number, place) = (slot / EvictionBlock.size, slot % EvictionBlock.size + 1)
    while number != EvictionState.none {
      let block = blocks[Int(number)]
      if let place = block.firstPlace(from: place) { return block[place] }
      (number, place) = (block.next, EvictionBlock.start)
    }
    return nil
  }

  mutating func append(_ node: UInt32, in nodes: EvictionNodes) {
    if tail == EvictionState.none || blocks[Int(tail)].end == EvictionBlock.size { addBlock() }
    let block = blocks[Int(tail)]
    if count == 0 { firstPlace = block.end }
    put(node, into: tail, in: nodes)
    block.count += 1
    nodes[node].pointee.place = place
    count += 1
    cost += nodes.cost(of: node)
  }

  mutating func remove(_ node: UInt32, in nodes: EvictionNodes) {
    let slot = nodes[node].pointee.slot
    let (number, place) = (slot / EvictionBlock.size, slot % EvictionBlock.size)
    let block = blocks[Int(number)]
    block[place] = EvictionState.none
    block.count -= 1
    nodes[node].pointee.place = .nowhere
    count -= 1
    cost -= nodes.cost(of: node)
    let wasFirst = number == head && place == firstPlace
    if block.count == 0 {
      // The last one is kept for what comes next.
      if number == tail { block.end = EvictionBlock.start } else { removeBlock(number) }
      if wasFirst, count > 0 { firstPlace = blocks[Int(head)].firstPlace(from: EvictionBlock.start) ?? 0 }
    } else if wasFirst {
      firstPlace = block.firstPlace(from: place) ?? 0
    } else {
      join(number, in: nodes)
    }
  }

  /// A node lies elsewhere now; its state is there already.
  func moved(to node: UInt32, in nodes: EvictionNodes) {
    let slot = nodes[node].pointee.slot
    blocks[Int(slot / EvictionBlock.size)][slot % EvictionBlock.size] = node
  }

  mutating func changeCost(from old: Int, to new: Int) { cost += new - old }

  // MARK: Blocks

  @usableFromInline
  func freeBlocks() {
    var number = head
    while number != EvictionState.none {
      let block = blocks[Int(number)]
      number = block.next
      block.free()
    }
  }

  private func put(_ node: UInt32, into number: UInt32, in nodes: EvictionNodes) {
    let block = blocks[Int(number)]
    block[block.end] = node
    nodes[node].pointee.slot = number * EvictionBlock.size + block.end
    block.end += 1
  }

  /// Puts what is in two neighbours into one, if they hold little: so removals from the middle give memory back. At
  /// most one such join comes for each block that was ever begun.
  private mutating func join(_ number: UInt32, in nodes: EvictionNodes) {
    let block = blocks[Int(number)]
    for (first, second) in [(number, block.next), (block.previous, number)]
    where first != EvictionState.none && second != EvictionState.none {
      let (left, right) = (blocks[Int(first)], blocks[Int(second)])
      guard left.count + right.count <= EvictionBlock.fewNodes else { continue }
      let end = left.end
      left.end = EvictionBlock.start
      for place in EvictionBlock.start..<end { move(left[place], to: first, in: nodes) }
      for place in EvictionBlock.start..<right.end { move(right[place], to: first, in: nodes) }
      left.count += right.count
      removeBlock(second)
      if first == head { firstPlace = EvictionBlock.start }
      return
    }
  }

  private func move(_ node: UInt32, to number: UInt32, in nodes: EvictionNodes) {
    if node != EvictionState.none { put(node, into: number, in: nodes) }
  }

  private mutating func addBlock() {
    let number = free.popLast() ?? UInt32(blocks.count)
    let block = EvictionBlock()
    block.previous = tail
    if number == blocks.count { blocks.append(block) } else { blocks[Int(number)] = block }
    if tail == EvictionState.none { head = number } else { blocks[Int(tail)].next = number }
    tail = number
  }

  private mutating func removeBlock(_ number: UInt32) {
    let block = blocks[Int(number)]
    if number == head { head = block.next } else { blocks[Int(block.previous)].next = block.next }
    if number == tail { tail = block.previous } else { blocks[Int(block.next)].previous = block.previous }
    block.free()
    free.append(number)
  }
}
