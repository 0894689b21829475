import TestSupport
import Testing

@testable import StrataMemory

@Suite("EvictionQueue: nodes in the order of insertion")
struct EvictionQueueTests {
  /// A queue and an array with the same contents, and the states that nodes refer to.
  final class Pair {
    private(set) var queue = EvictionQueue(.main)
    private(set) var model: [UInt32] = []
    private var free = Array(UInt32(0)..<2048)
    private let pages: UnsafeMutablePointer<MemoryPage>
    private let states: UnsafeMutablePointer<EvictionState>
    private let nodes: EvictionNodes

    init() {
      let stride = MemoryLayout<EvictionState>.stride
      states = .allocate(capacity: 2048)
      states.initialize(repeating: EvictionState(hash: 0, bits: 0), count: 2048)
      pages = .allocate(capacity: 2048 / MemoryPage.size)
      for number in 0..<(2048 / MemoryPage.size) {
        (pages + number).initialize(to: MemoryPage())
        pages[number].nodes = UnsafeMutableRawPointer(states + number * MemoryPage.size)
      }
      nodes = EvictionNodes(pages: pages, stride: stride, costs: nil)
    }

    deinit {
      pages.deallocate()
      states.deallocate()
    }

    func append() {
      guard let node = free.popLast() else { return }
      queue.append(node, in: nodes)
      model.append(node)
    }

    func remove(at place: Int) {
      let node = model.remove(at: place)
      queue.remove(node, in: nodes)
      free.insert(node, at: 0)
    }

    func move(at place: Int) {
      guard let other = free.popLast() else { return }
      let node = model[place]
      nodes[other].initialize(to: nodes[node].pointee)
      queue.moved(to: other, in: nodes)
      model[place] = other
      free.insert(node, at: 0)
    }

    var all: [UInt32] {
      var all: [UInt32] = []
      var next = queue.first
      while let node = next, all.count <= model.count {
        all.append(node)
        next = queue.next(after: node, in: nodes)
      }
      return all
    }

    var blockCount: Int { queue.blocks.count - queue.free.count }
  }

  @Test("it agrees with an array under random insertions, removals and moves", arguments: [1, 5, 9])
  func model(_ growth: Int) {
    var random = SeededGenerator(seed: UInt64(growth))
    let pair = Pair()
    for step in 0..<6000 {
      let count = pair.model.count
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<growth: pair.append()
      case growth where count > 0: pair.move(at: Int.random(in: 0..<count, using: &random))
      // Mostly from the front, as evictions do, otherwise from anywhere.
      case let other where count > 0:
        pair.remove(at: other % 2 == 0 ? 0 : Int.random(in: 0..<count, using: &random))
      default: pair.append()
      }
      #expect(pair.queue.first == pair.model.first)
      if step % 50 == 0 { #expect(pair.all == pair.model) }
    }
    #expect(pair.all == pair.model)
    #expect(pair.queue.count == pair.model.count)
  }

  @Test(
    "removals from the middle free memory, and the other nodes keep their order", arguments: [2, 10, 100])
  func sparse(_ distance: Int) {
    let pair = Pair()
    for _ in 0..<2000 { pair.append() }
    #expect(pair.blockCount == 17)
    for place in (0..<2000).reversed() where place % distance != 0 { pair.remove(at: place) }
    #expect(pair.all == pair.model)
    // Neighbouring blocks that together fill at most three quarters of a block are merged.
    #expect(pair.blockCount <= 2 * pair.model.count / Int(EvictionBlock.fewNodes) + 2)
    for _ in 0..<200 { pair.append() }
    #expect(pair.all == pair.model)
    while !pair.model.isEmpty { pair.remove(at: 0) }
    #expect(pair.queue.first == nil)
    #expect(pair.blockCount == 1)
    pair.append()
    #expect(pair.all == pair.model)
  }
}
