import BenchHarness
import Foundation
import Testing

@testable import BenchTraces

struct CapacitiesTests {
  @Test func `a list of shares and sizes is parsed`() throws {
    #expect(try Capacities.parse("1%,5%,20%,1000,100%", whole: 9939) == [99, 497, 1988, 1000, 9939])
    #expect(try Capacities.parse("0.001%", whole: 100) == [1])
  }

  @Test(arguments: ["", "0", "-5", "0%", "101%", "five", "1%,,5%", "1% ,5%"])
  func `an invalid size is an error`(_ text: String) {
    #expect(throws: UsageError.self) { try Capacities.parse(text, whole: 100) }
  }

  @Test func `sizes grow by a constant factor from the smallest to the whole`() {
    let sizes = Capacities.spread(20, from: 10, to: 100_000)
    #expect(sizes.count == 20)
    #expect(sizes.first == 10)
    #expect(sizes.last == 100_000)
    for (one, next) in zip(sizes, sizes.dropFirst()) {
      #expect(abs(Double(next) / Double(one) - pow(10, 4.0 / 19)) < 0.08)
    }
  }

  @Test(arguments: [(1, 1), (1, 3), (5, 5), (7, 2), (1, 0)])
  func `a small whole has few sizes, without repetitions`(_ smallest: Int, _ whole: Int) {
    let sizes = Capacities.spread(20, from: smallest, to: whole)
    #expect(sizes.last == max(whole, 1))
    #expect(Set(sizes).count == sizes.count)
    #expect(sizes == sizes.sorted())
  }
}

struct ReferenceTableTests {
  static let header = "trace\trequests\tunique\tsize\tcapacity\tLRU\tCaffeine\n"

  @Test func `rows contain the trace, the size and the policies`() throws {
    let table = try ReferenceTable(text: Self.header + "loop\t10\t5\t20%\t1\t12.50\t25\n", name: "t")
    #expect(table.policies == ["LRU", "Caffeine"])
    #expect(table.rows.count == 1)
    #expect(table.rows[0].trace == "loop")
    #expect(table.rows[0].size == "20%")
    #expect(table.rows[0].capacity == 1)
    #expect(table.rows[0].hitRatios == ["LRU": 0.125, "Caffeine": 0.25])
  }

  @Test(arguments: [
    ("", "first line"), ("a\tb\n", "first line"), (header + "loop\t10\t5\t20%\t1\t12.50\n", "line 2"),
    (header + "loop\t10\t5\t20%\t1\t12.50\tx\n", "line 2"),
    (header + "loop\t10\t5\t20%\tx\t1\t1\n", "line 2"),
  ])
  func `the error for an invalid table names the line`(_ text: String, _ place: String) {
    let error = #expect(throws: TraceError.self) { try ReferenceTable(text: text, name: "t") }
    #expect(error?.description.contains(place) == true)
  }
}

struct HitCurveTests {
  let curve = HitCurve(
    [(100, 0.8), (1, 0.1), (10, 0.6), (50, 0.75)].map { .init(capacity: $0, hitRatio: $1) })

  @Test(arguments: [(0.05, 1), (0.1, 1), (0.35, 6), (0.5, 9), (0.77, 70), (0.8, 100), (0.81, nil)])
  func `a curve returns the smallest size that reaches a hit ratio`(_ hitRatio: Double, _ capacity: Int?) {
    #expect(curve.capacity(reaching: hitRatio) == capacity)
  }

  @Test func `the knee is the point farthest above the straight line`() {
    #expect(curve.knee?.capacity == 10)
    #expect(HitCurve([.init(capacity: 1, hitRatio: 0.1)]).knee == nil)
    #expect(
      HitCurve((1...5).map { .init(capacity: $0, hitRatio: Double($0) / 8) }).knee == nil,
      "a straight line has none")
    #expect(HitCurve([]).knee == nil)
    #expect(HitCurve([]).capacity(reaching: 0.5) == nil)
  }
}
