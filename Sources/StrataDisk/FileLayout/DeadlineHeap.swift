/// A heap of slots by deadline, the earliest first. Every change is O(log n).
struct DeadlineHeap: Sendable {
  private struct Item: Sendable {
    let deadline: Double
    let slot: Int
  }

  private var items: [Item] = []
  /// The index in `items` of each slot.
  private var positions: [Int: Int] = [:]

  /// The slot with the earliest deadline.
  var first: (slot: Int, deadline: Double)? { items.first.map { ($0.slot, $0.deadline) } }

  /// Inserts a slot that is not in the heap.
  mutating func insert(_ slot: Int, deadline: Double) {
    items.append(Item(deadline: deadline, slot: slot))
    positions[slot] = items.count - 1
    rise(items.count - 1)
  }

  /// Removes a slot, if it is in the heap.
  mutating func remove(_ slot: Int) {
    guard let position = positions.removeValue(forKey: slot) else { return }
    let last = items.removeLast()
    guard position < items.count else { return }
    items[position] = last
    positions[last.slot] = position
    rise(position)
    sink(position)
  }

  private mutating func rise(_ start: Int) {
    var position = start
    while position > 0, items[position].deadline < items[(position - 1) / 2].deadline {
      swap(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var position = start
    while 2 * position + 1 < items.count {
      var child = 2 * position + 1
      if child + 1 < items.count, items[child + 1].deadline < items[child].deadline { child += 1 }
      guard items[child].deadline < items[position].deadline else { return }
      swap(position, child)
      position = child
    }
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    items.swapAt(a, b)
    positions[items[a].slot] = a
    positions[items[b].slot] = b
  }
}
