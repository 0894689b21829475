import BenchHarness
import Testing

struct StatisticsTests {
  @Test(arguments: [
    ([3.0], 3.0), ([1.0, 9.0], 5.0), ([9.0, 1.0, 5.0], 5.0), ([4.0, 1.0, 3.0, 2.0], 2.5),
    ([1.0, 1.0, 1.0, 100.0], 1.0),
  ])
  func median(_ values: [Double], _ expected: Double) { #expect(values.median == expected) }

  @Test func `the median of no values is NaN`() { #expect([Double]().median.isNaN) }

  @Test(arguments: [(0.5, 50.0), (0.99, 99), (1, 100), (0, 1), (0.001, 1)])
  func percentile(_ share: Double, _ expected: Double) {
    #expect((1...100).map(Double.init).shuffled().percentile(share) == expected)
  }

  @Test func `the standard error shrinks with the count`() {
    #expect(abs([1.0, 3.0].standardError - 1) < 1e-12)
    #expect(abs([1.0, 3, 1, 3, 1, 3, 1, 3].standardError - (8.0 / 7 / 8).squareRoot()) < 1e-12)
    #expect([2.0, 2, 2].standardError == 0)
  }

  @Test func `a ratio is taken within each round`() {
    // Ratios of 2, 3 and 1, with a slow machine in the second round. Both medians alone would suggest equality.
    let one = Timing(name: "one", threads: 1, rounds: [2, 30, 4])
    let other = Timing(name: "other", threads: 1, rounds: [1, 10, 4])
    #expect(abs(one.ratio(to: other) - 2) < 1e-12)
    #expect(one.median == 4)
    #expect(one.best == 2)
  }
}
