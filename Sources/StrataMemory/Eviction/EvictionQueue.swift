/// A queue of nodes in insertion order.
///
/// It is a list of blocks of node indices. The state of a node contains the number of its slot, so it can be removed
/// from the middle or change its index in O(1). Links inside the nodes would take twice the memory, and would touch a
/// cache line for each neighbour whenever a node is added, removed or moved.
@usableFromInline
struct EvictionQueue: ~Copyable, Sendable {
  /// The queue's identity, which is also kept in the state of its nodes.
  let place: EvictionState.Place
  private(set) var count = 0
  /// The total cost of its nodes.
  private(set) var cost = 0

  /// All blocks by number, and the numbers that are free.
  private(set) var blocks: [EvictionBlock] = []
  private(set) var free: [UInt32] = []
  /// The first and the last block. They are the same if the queue is empty.
  private var head = EvictionState.none
  private var tail = EvictionState.none
  /// The place of the first node in the first block.
  private var firstPlace = EvictionBlock.start

  init(_ place: EvictionState.Place) { self.place = place }

  // Inlinable because the compiler requires it in a type that inlinable code uses.
  @inlinable
  deinit { freeBlocks() }

  /// The node that is next to leave.
  var first: UInt32? { count == 0 ? nil : blocks[Int(head)][firstPlace] }

  /// Returns the node behind another.
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
      // The last block is kept for the next insertion.
      if number == tail { block.end = EvictionBlock.start } else { removeBlock(number) }
      if wasFirst, count > 0 { firstPlace = blocks[Int(head)].firstPlace(from: EvictionBlock.start) ?? 0 }
    } else if wasFirst {
      firstPlace = block.firstPlace(from: place) ?? 0
    } else {
      join(number, in: nodes)
    }
  }

  /// Updates the slot of a node that has moved to another index, with its state.
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

  /// Joins a block with a neighbour if both hold few nodes, so that removals from the middle free memory. At most one
  /// join happens per block that was ever added.
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
