/// A list of slots in order of their last use. Every operation is O(1).
///
/// A ring of links: link 0 joins the oldest to the newest, link n + 1 belongs to slot n.
struct RecencyList: Sendable {
  private struct Link: Sendable {
    var newer: Int
    var older: Int
  }

  private var links = [Link(newer: 0, older: 0)]

  /// The least recently used slot.
  var oldest: Int? { slot(links[0].newer) }

  /// Returns the slot used next after another.
  func next(after slot: Int) -> Int? { self.slot(links[slot + 1].newer) }

  /// Inserts a slot, new or removed before, as the most recently used.
  mutating func insertNewest(_ slot: Int) { insert(slot + 1, between: links[0].older, and: 0) }

  /// Inserts a slot, new or removed before, as the least recently used.
  mutating func insertOldest(_ slot: Int) { insert(slot + 1, between: 0, and: links[0].newer) }

  mutating func remove(_ slot: Int) {
    let link = links[slot + 1]
    links[link.older].newer = link.newer
    links[link.newer].older = link.older
  }

  private mutating func insert(_ link: Int, between older: Int, and newer: Int) {
    if link == links.count { links.append(Link(newer: 0, older: 0)) }
    links[link] = Link(newer: newer, older: older)
    links[older].newer = link
    links[newer].older = link
  }

  private func slot(_ link: Int) -> Int? { link == 0 ? nil : link - 1 }
}
