#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

struct DiskIndexTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 0)

  private func order(_ index: DiskIndex<String>) -> [String] {
    var index = index
    var order: [String] = []
    while let key = index.victim(toFit: 0, under: "", limit: -1, at: Self.start) {
      order.append(key)
      index.remove(key)
    }
    return order
  }

  @Test func leastRecentlyUsedGoesFirst() {
    var index = DiskIndex<String>()
    for key in ["a", "b", "c", "d"] { index.store(key, size: 1, expiry: .never) }
    index.touch("a")
    index.store("c", size: 2, expiry: .never)
    index.touch("absent")
    #expect(order(index) == ["b", "d", "a", "c"])
    #expect(index.totalSize == 5)
  }

  @Test func whatAScanFindsIsOlderThanWhatWasWrittenMeanwhile() {
    var index = DiskIndex<String>()
    index.load("newest", size: 1, expiry: .never)
    index.store("written", size: 1, expiry: .never)
    index.load("older", size: 1, expiry: .never)
    index.load("written", size: 100, expiry: .never)
    index.load("oldest", size: 1, expiry: .never)
    #expect(order(index) == ["oldest", "older", "newest", "written"])
    #expect(index.totalSize == 4)
  }

  @Test func expiredGoesBeforeLeastRecentlyUsed() {
    var index = DiskIndex<String>()
    index.store("old", size: 1, expiry: .never)
    index.store("expired", size: 1, expiry: .date(Self.start))
    index.store("soon", size: 1, expiry: .date(Self.start.addingTimeInterval(0.001)))
    #expect(order(index) == ["expired", "old", "soon"])
    #expect(Set(index.keys(validAt: Self.start)) == ["old", "soon"])
  }

  @Test func theReplacedEntryCountsOnlyOnce() {
    var index = DiskIndex<String>()
    for key in ["a", "b", "c"] { index.store(key, size: 10, expiry: .never) }
    #expect(index.victim(toFit: 10, under: "a", limit: 30, at: Self.start) == nil)
    #expect(index.victim(toFit: 11, under: "a", limit: 30, at: Self.start) == "b")
    #expect(index.victim(toFit: 1, under: "d", limit: 30, at: Self.start) == "a")
  }

  @Test func aDateThatIsNoNumberNeverComes() {
    var index = DiskIndex<String>()
    index.store("a", size: 1, expiry: .date(Date(timeIntervalSinceReferenceDate: .nan)))
    index.store("b", size: 1, expiry: .date(Date(timeIntervalSinceReferenceDate: -.infinity)))
    #expect(index.expired(at: .distantFuture) == "b")
    index.remove("b")
    #expect(index.expired(at: .distantFuture) == nil)
    #expect(index.keys(validAt: .distantFuture) == ["a"])
  }

  /// Compares thousands of random operations with a list that is searched linearly.
  @Test(arguments: [1, 2, 3])
  func agreesWithASimpleModel(_ seed: UInt64) {
    var random = Seeded(state: seed)
    var index = DiskIndex<Int>()
    var model: [(key: Int, size: Int, deadline: Double?)] = []
    for _ in 0..<20_000 {
      let key = Int.random(in: 0..<50, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let size = Int.random(in: 1..<100, using: &random)
        let deadline = Bool.random(using: &random) ? Double.random(in: 0..<100, using: &random) : nil
        let expiry = deadline.map { Expiry.date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .never
        index.store(key, size: size, expiry: expiry)
        model.removeAll { $0.key == key }
        model.append((key, size, deadline))
      case 2:
        index.remove(key)
        model.removeAll { $0.key == key }
      case 3:
        index.touch(key)
        if let found = model.firstIndex(where: { $0.key == key }) { model.append(model.remove(at: found)) }
      case 4:
        let now = Double.random(in: 0..<100, using: &random)
        let expected = model.filter { ($0.deadline ?? .infinity) <= now }
          .min { ($0.deadline ?? .infinity) < ($1.deadline ?? .infinity) }
        #expect(index.expired(at: Date(timeIntervalSinceReferenceDate: now)) == expected?.key)
      default:
        let limit = Int.random(in: 0..<3000, using: &random)
        let others = model.filter { $0.key != key }
        let expected = others.reduce(0) { $0 + $1.size } + 10 > limit ? others.first?.key : nil
        let past = Date(timeIntervalSinceReferenceDate: -1)
        #expect(index.victim(toFit: 10, under: key, limit: limit, at: past) == expected)
      }
      #expect(index.totalSize == model.reduce(0) { $0 + $1.size })
    }
    #expect(Set(index.keys) == Set(model.map(\.key)))
  }
}

/// A generator with the same numbers for the same seed.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
