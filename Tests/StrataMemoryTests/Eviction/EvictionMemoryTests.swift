import TestSupport
import Testing

@testable import StrataMemory

@Suite("Eviction: histories and ghosts")
struct EvictionMemoryTests {
  @Test
  func `The mean of equal gaps is the gap, within one percent`() {
    for gap in [1, 2, 100, 127, 128, 129, 1_000, 65_535, 1_000_003, UInt32.max / 2, .max] {
      var history = UseHistory()
      for uses in 1...40 as ClosedRange<UInt32> {
        history.add(gap: gap)
        #expect(history.uses == min(uses, 15))
        #expect(abs(Double(history.meanGap) - Double(gap)) <= Double(gap) / 100)
      }
    }
  }

  @Test
  func `The mean approaches a changed gap`() {
    var history = UseHistory()
    for _ in 0..<100 { history.add(gap: 1_000) }
    for _ in 0..<100 { history.add(gap: 10) }
    #expect((10...25).contains(history.meanGap))
    for _ in 0..<100 { history.add(gap: 1_000) }
    #expect((850...1_000).contains(history.meanGap))
  }

  private func state(_ hash: UInt32, lastUse: UInt32, history: UseHistory) -> EvictionState {
    var state = EvictionState(hash: hash, bits: 0xff00_0000)
    state.lastUse = lastUse
    state.history = history
    return state
  }

  @Test(arguments: [10, 512, 3_000, 100_000])
  func `A ghost is found once, with its history`(population: Int) throws {
    let ghosts = EvictionGhosts(population: population)
    #expect(ghosts.capacity >= max(2 * population, 1_024))
    #expect(ghosts.capacity < max(2 * population, 1_024) + 8)
    var history = UseHistory()
    history.add(gap: 77)
    // The clock is about to overflow, which does not affect differences.
    let then = UInt32.max - 5
    ghosts.remember(state(42, lastUse: then, history: history), insertion: then)
    ghosts.remember(state(43, lastUse: then, history: history), insertion: nil)
    let later = UInt32(20 * population)
    let ghost = try #require(ghosts.recall(42, clock: then &+ later, insertions: then &+ later / 10))
    #expect(abs(Int(ghost.age) - Int(later)) <= ghosts.capacity / 1_024)
    #expect(ghost.history == history)
    #expect(abs(Int(try #require(ghost.insertionsAgo)) - Int(later / 10)) <= ghosts.capacity / 1_024)
    #expect(ghosts.recall(42, clock: then, insertions: then) == nil)
    #expect(try #require(ghosts.recall(43, clock: then, insertions: then)).insertionsAgo == nil)
    #expect(ghosts.recall(44, clock: then, insertions: then) == nil)
  }

  @Test
  func `As many ghosts as fit into a cache line are each found once`() {
    let ghosts = EvictionGhosts(population: 100)
    for use in 1...8 as ClosedRange<UInt32> {
      ghosts.remember(state(42, lastUse: use, history: UseHistory()), insertion: nil)
    }
    // The youngest first.
    let ages = (0..<9).map { _ in ghosts.recall(42, clock: 10, insertions: 1)?.age }
    #expect(ages == [2, 3, 4, 5, 6, 7, 8, 9, nil])
  }

  @Test
  func `The oldest ghosts are replaced, and most of the newer ones are found`() {
    let ghosts = EvictionGhosts(population: 5_000)
    var random = SeededGenerator(seed: 12)
    let hashes = (0..<30_000).map { _ in UInt32(truncatingIfNeeded: random.next()) }
    for hash in hashes { ghosts.remember(state(hash, lastUse: 0, history: UseHistory()), insertion: 1) }
    func found(_ part: Range<Int>) -> Double {
      Double(hashes[part].count { ghosts.recall($0, clock: 9, insertions: 9) != nil }) / Double(part.count)
    }
    #expect(found(25_000..<30_000) > 0.9)
    #expect(found(0..<10_000) < 0.05)
  }

  @Test
  func `Ghosts survive changes of the population, and their number grows with it`() throws {
    // Limited by cost, so that the number of entries varies.
    let model = EvictionModel(costLimit: 10_000)
    for key in 0..<2_000 { model.use(key, cost: 10) }
    let capacity = try #require(model.ghostCapacity)
    for key in model.index.keys { model.remove(key) }
    for key in 2_000..<4_000 { model.use(key, cost: 9) }
    #expect(model.index.count > 1_050)
    #expect(model.ghostCapacity == capacity)
    for key in model.index.keys { model.remove(key) }
    for key in 4_000..<8_000 { model.use(key, cost: 4) }
    #expect(model.index.count > 2_000)
    #expect(try #require(model.ghostCapacity) >= 2 * model.index.count)
  }

  @Test
  func `Keys without a ghost are rarely found`() {
    let ghosts = EvictionGhosts(population: 5_000)
    var random = SeededGenerator(seed: 13)
    for _ in 0..<30_000 {
      let hash = UInt32(truncatingIfNeeded: random.next())
      ghosts.remember(state(hash, lastUse: 0, history: UseHistory()), insertion: 1)
    }
    let strangers = (0..<30_000).count { _ in
      ghosts.recall(UInt32(truncatingIfNeeded: random.next()), clock: 9, insertions: 9) != nil
    }
    #expect(strangers < 30_000 / 200)
  }
}
