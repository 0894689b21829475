@testable import StrataMemory

extension RecencyTable {
  /// The keys, the one used least recently first.
  var keysByAge: [Key] { places(from: oldest) { $0.newer }.map { nodes[Int($0)].key } }

  /// What is wrong with the list and the slots; empty for a sound table.
  var flaws: [String] {
    var flaws: [String] = []
    func demand(_ holds: Bool, _ flaw: @autoclosure () -> String) { if !holds { flaws.append(flaw()) } }

    let forward = places(from: oldest) { $0.newer }
    let backward = places(from: newest) { $0.older }
    demand(forward == backward.reversed(), "the list differs by direction: \(forward), \(backward)")
    demand(forward.sorted() == Array(nodes.indices.map(Int32.init)), "the list is not over all: \(forward)")
    demand(forward.last ?? Self.none == newest, "the list does not end with the newest")
    let stamps = forward.map { nodes[Int($0)].stamp }
    demand(stamps == stamps.sorted(), "the list is not in the order of use: \(stamps)")

    demand(slots.count.nonzeroBitCount == 1, "\(slots.count) slots are no power of two")
    demand(nodes.count * 4 <= slots.count * 3, "\(nodes.count) nodes fill \(slots.count) slots too much")
    let taken = slots.filter { $0 != Self.none }
    demand(taken.sorted() == Array(nodes.indices.map(Int32.init)), "not one slot a node: \(slots)")
    for place in nodes.indices {
      demand(
        find(nodes[place].key, hash: nodes[place].hash) == Int32(place), "the node at \(place) is not found")
    }
    return flaws
  }

  /// The places along the list, at most one more than there are nodes, so that a circle ends.
  private func places(from start: Int32, _ next: (Node) -> Int32) -> [Int32] {
    var places: [Int32] = []
    var place = start
    while place != Self.none, places.count <= nodes.count {
      places.append(place)
      place = next(nodes[Int(place)])
    }
    return places
  }
}
