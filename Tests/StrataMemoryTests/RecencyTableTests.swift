import TestSupport
import Testing

@testable import StrataMemory

/// How keys come to their hashes.
enum Hashing: CaseIterable {
  case spread, identity, negative, fewBits, allTheSame

  func hash(_ key: Int) -> Int {
    switch self {
    case .spread: key &* 0x9E37_79B9_7F4A_7C1
    case .identity: key
    case .negative: -key
    case .fewBits: key & 3
    case .allTheSame: 7
    }
  }
}

@Suite("RecencyTable: a dictionary that knows the order of use")
struct RecencyTableTests {
  typealias Table = RecencyTable<Int, String>

  /// What the table promises, by a dictionary and an array.
  private struct Model {
    var values: [Int: String] = [:]
    var order: [Int] = []

    mutating func use(_ key: Int) {
      order.removeAll { $0 == key }
      order.append(key)
    }
  }

  @Test(
    "it agrees with a dictionary and an array after every step, however its keys are hashed",
    arguments: Hashing.allCases, [1, 2] as [UInt64])
  func model(_ hashing: Hashing, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = Table()
    var model = Model()
    var stamp: UInt64 = 0
    for step in 0..<900 {
      // First it grows, then it shrinks, then it does both.
      let growth = step < 300 ? 8 : step < 600 ? 2 : 5
      let key = Int.random(in: 0..<60, using: &random)
      let place = table.find(key, hash: hashing.hash(key))
      #expect((place != nil) == (model.values[key] != nil))
      stamp += 1
      if Int.random(in: 0..<10, using: &random) < growth {
        let node = Table.Node(
          key: key, value: "\(step)", expiry: .never, hash: hashing.hash(key), cost: 1, stamp: stamp)
        if let place {
          #expect(table.replace(place, with: node).value == model.values[key])
        } else {
          table.insert(node)
        }
        model.values[key] = "\(step)"
        model.use(key)
      } else if let place, Bool.random(using: &random) {
        #expect(table.remove(place).value == model.values.removeValue(forKey: key))
        model.order.removeAll { $0 == key }
      } else if let place {
        table.touch(place, stamp: stamp)
        model.use(key)
      }
      #expect(table.flaws == [])
      #expect(table.keysByAge == model.order)
      #expect(table.oldestNode?.key == model.order.first)
      #expect(Dictionary(uniqueKeysWithValues: table.nodes.map { ($0.key, $0.value) }) == model.values)
    }
    for key in model.order {
      #expect(table.oldestNode?.key == key)
      _ = table.remove(table.oldest)
      #expect(table.flaws == [])
    }
    #expect(table.nodes.isEmpty)
  }

  @Test("a use at the time of the last use moves nothing")
  func sameTime() throws {
    var table = Table()
    for key in 0..<3 {
      table.insert(.init(key: key, value: "", expiry: .never, hash: key, cost: 1, stamp: 5))
    }
    table.touch(try #require(table.find(0, hash: 0)), stamp: 5)
    #expect(table.keysByAge == [0, 1, 2])
    table.touch(try #require(table.find(0, hash: 0)), stamp: 6)
    #expect(table.keysByAge == [1, 2, 0])
  }

  @Test("keys of the same hash are different keys")
  func sameHash() {
    var table = Table()
    table.insert(.init(key: 1, value: "one", expiry: .never, hash: 0, cost: 1, stamp: 1))
    #expect(table.find(2, hash: 0) == nil)
    #expect(table.find(1, hash: 8) == nil)
    #expect(table.find(1, hash: 0) == 0)
  }
}
