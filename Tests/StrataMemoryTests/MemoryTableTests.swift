import Foundation
import TestSupport
import Testing

@testable import StrataMemory

/// Ways to hash keys.
enum Hashing: CaseIterable {
  case spread, identity, negative, highBits, fewBits, allTheSame

  func hash(_ key: Int) -> UInt32 {
    let hash =
      switch self {
      case .spread: key &* 0x9E37_79B9
      case .identity: key
      case .negative: -key
      case .highBits: key << 20
      case .fewBits: key & 3
      case .allTheSame: 7
      }
    return UInt32(truncatingIfNeeded: hash)
  }
}

@Suite("MemoryTable: a hash table that grows in segments")
struct MemoryTableTests {
  typealias Table = MemoryTable<Int, String>

  @Test(
    "it agrees with a dictionary while it grows, shrinks and does both, however its keys are hashed",
    arguments: Hashing.allCases, [60, 1000])
  func model(_ hashing: Hashing, _ keys: Int) {
    // With bad hashes every lookup is a linear search, which fewer steps test as well.
    let steps = keys == 60 ? 900 : hashing == .spread || hashing == .identity ? 8000 : 2000
    var random = SeededGenerator(seed: UInt64(keys))
    var table = Table(hasCosts: true, idleTime: nil)
    var model: [Int: (value: String, cost: Int, expiry: Expiry)] = [:]
    for step in 0..<steps {
      let growth = step < steps / 3 ? 9 : step < steps * 2 / 3 ? 1 : 5
      let key = Int.random(in: 0..<keys, using: &random)
      let index = table.index(of: key, hash: hashing.hash(key))
      #expect((index != nil) == (model[key] != nil))
      if Int.random(in: 0..<10, using: &random) < growth {
        let expiry: Expiry =
          step % 3 == 0 ? .date(Date(timeIntervalSinceReferenceDate: Double(step))) : .never
        let new: UInt32
        if let index {
          #expect(
            table.replace(Table.Found(node: table[index], index: index), with: "\(step)", cost: step)
              == model[key]?.value)
          new = index
        } else {
          new = table.insert(key, "\(step)", hash: hashing.hash(key), cost: step)
        }
        table.setExpiry(expiry, of: new, now: 0)
        model[key] = ("\(step)", step, expiry)
      } else if let index {
        #expect(table.remove(index, evicting: step % 2 == 0).value == model.removeValue(forKey: key)?.value)
      }
      if step % (steps / 20) == 0 { check(table, model, hashing) }
    }
    check(table, model, hashing)
    for (count, key) in Array(model.keys).enumerated() {
      if let index = table.index(of: key, hash: hashing.hash(key)) { _ = table.remove(index) }
      if count % 100 == 0 { #expect(table.flaws == []) }
    }
    #expect(table.count == 0)
    #expect(table.flaws == [])
  }

  private func check(
    _ table: borrowing Table, _ model: [Int: (value: String, cost: Int, expiry: Expiry)], _ hashing: Hashing
  ) {
    #expect(table.flaws == [])
    #expect(table.storedKeys == Set(model.keys))
    for (key, item) in model {
      guard let index = table.index(of: key, hash: hashing.hash(key)) else { continue }
      #expect(table[index].pointee.value == item.value)
      #expect(table.costs[index] == item.cost)
      #expect(table.expiry(of: index) == item.expiry)
    }
  }

  @Test("one insert moves no more than the entries of one segment")
  func growsByPieces() {
    var table = Table(hasCosts: false, idleTime: nil)
    var worst = 0
    for key in 0..<20_000 {
      let before = table.pageCount - table.freePages.count
      _ = table.insert(key, "", hash: Hashing.spread.hash(key), cost: 0)
      worst = max(worst, table.pageCount - table.freePages.count - before)
    }
    #expect(worst == 1)
    #expect((0..<table.pageCount).allSatisfy { table.pages[$0].capacity <= MemoryPage.size })
    #expect(table.flaws == [])
  }

  @Test("at least half of the nodes of a large table are in use, and removals give the memory back")
  func memory() {
    var table = Table(hasCosts: false, idleTime: nil)
    let stride = MemoryLayout<Table.Node>.stride
    for key in 0..<20_000 {
      _ = table.insert(key, "", hash: Hashing.spread.hash(key), cost: 0)
      if key > 1000, key % 1000 == 0 { #expect(table.nodeBytes <= 2 * key * stride) }
    }
    let full = table.nodeBytes
    for key in 0..<19_990 {
      if let index = table.index(of: key, hash: Hashing.spread.hash(key)) { _ = table.remove(index) }
    }
    #expect(table.count == 10)
    #expect(table.nodeBytes < full / 50)
    #expect(table.flaws == [])
  }

  @Test("keys of the same hash are different keys")
  func sameHash() {
    var table = Table(hasCosts: false, idleTime: nil)
    let index = table.insert(1, "one", hash: 0, cost: 0)
    #expect(table.index(of: 2, hash: 0) == nil)
    #expect(table.index(of: 1, hash: 1 << 31) == nil)
    #expect(table.index(of: 1, hash: 0) == index)
  }
}
