import StrataSupport
import TestSupport
import Testing

@Suite struct FIFOTests {
  @Test("a queue holds the same elements as an array, whatever is added and removed")
  func model() {
    for seed in UInt64(0)..<200 {
      var random = SeededGenerator(seed: seed)
      var queue = FIFO<Int>()
      var model: [Int] = []
      for next in 0..<500 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2:
          queue.append(next)
          model.append(next)
        case 3:
          queue.prepend(next)
          model.insert(next, at: 0)
        case 4:
          #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
        default:
          let wanted = model.randomElement(using: &random) ?? -1
          let index = model.firstIndex(of: wanted)
          #expect(queue.removeOne { $0 == wanted } == (index != nil))
          if let index { model.remove(at: index) }
        }
        #expect(Array(queue.all) == model && queue.count == model.count, "seed \(seed)")
        #expect(queue.isEmpty == model.isEmpty && queue.first == model.first, "seed \(seed)")
      }
    }
  }

  @Test("removing all elements, in either order, compares each a few times", arguments: [false, true])
  func removals(backwards: Bool) {
    let count = 10_000
    var queue = FIFO<Int>()
    for element in 0..<count { queue.append(element) }
    var comparisons = 0
    for wanted in backwards ? Array((0..<count).reversed()) : Array(0..<count) {
      let isRemoved = queue.removeOne { element in
        comparisons += 1
        return element == wanted
      }
      #expect(isRemoved)
    }
    #expect(queue.isEmpty)
    #expect(comparisons <= 2 * count)
  }
}
